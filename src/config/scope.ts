/** What an API key may do; `admin` implies no other (docs/spec/http.md, Keys and scopes). */
export const SCOPES = [
  'orders:read',
  'reports:read',
  'audit:read',
  'pii:read',
  'quarantine:write',
  'periods:write',
  'statements:write',
  'admin',
] as const;

export type Scope = (typeof SCOPES)[number];

export const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text);
