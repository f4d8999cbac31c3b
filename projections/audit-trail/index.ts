export { auditEntry, auditMark, isFoundBy, type AuditEntry, type AuditMark } from './audit-entry.ts';
