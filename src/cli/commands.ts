import type { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import type { ExitStatus } from './exit-status.ts';

/** Makes a command. `exit` is told the status that it ends with. */
export type MakeCommand = (context: CommandContext, exit: (status: ExitStatus) => void) => Command;

/**
 * All commands by their names, in the order in which help lists them. Each is loaded when it is wanted: what it stands on
 * would be half of the processor time in which any other one starts.
 */
export const COMMANDS: Readonly<Record<string, () => Promise<MakeCommand>>> = {
  serve: async () => (await import('./serve-command.ts')).serveCommand,
  orders: async () => (await import('./orders-command.ts')).ordersCommand,
  order: async () => (await import('./order-command.ts')).orderCommand,
  audit: async () => (await import('./audit-command.ts')).auditCommand,
  report: async () => (await import('./report-command.ts')).reportCommand,
  reconcile: async () => (await import('./reconcile-command.ts')).reconcileCommand,
  period: async () => (await import('./period-command.ts')).periodCommand,
  export: async () => (await import('./export-command.ts')).exportCommand,
  import: async () => (await import('./import-command.ts')).importCommand,
  statement: async () => (await import('./statement-command.ts')).statementCommand,
  transfers: async () => (await import('./transfers-command.ts')).transfersCommand,
  quarantine: async () => (await import('./quarantine-command.ts')).quarantineCommand,
  replay: async () => (await import('./replay-command.ts')).replayCommand,
  verify: async () => (await import('./verify-command.ts')).verifyCommand,
  checkpoint: async () => (await import('./checkpoint-command.ts')).checkpointCommand,
  evidence: async () => (await import('./evidence-command.ts')).evidenceCommand,
  'verify-evidence': async () => (await import('./verify-evidence-command.ts')).verifyEvidenceCommand,
  backup: async () => (await import('./backup-command.ts')).backupCommand,
  restore: async () => (await import('./restore-command.ts')).restoreCommand,
  migrate: async () => (await import('./migrate-command.ts')).migrateCommand,
  doctor: async () => (await import('./doctor-command.ts')).doctorCommand,
  token: async () => (await import('./token-command.ts')).tokenCommand,
  upstream: async () => (await import('./upstream-command.ts')).upstreamCommand,
  sandbox: async () => (await import('./sandbox-command.ts')).sandboxCommand,
  demo: async () => (await import('./demo-command.ts')).demoCommand,
  completion: async () => (await import('./completion-command.ts')).completionCommand,
};
