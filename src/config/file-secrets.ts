/** The lists of secrets, which are read again while the ledger serves. */
export const SECRET_VARIABLES = ['WEBHOOK_SECRETS', 'WEBHOOK_RETIRED_SECRETS', 'API_KEYS'] as const;

/** The variables of which each may name a file instead, as `…_FILE`. */
export const FILE_SECRETS = [
  ...SECRET_VARIABLES,
  'UPSTREAM_LOGIN_JSON',
  'LEDGER_SIGNING_KEY',
  'LEDGER_RETIRED_SIGNING_KEY',
  'CHAIN_RPC_URLS',
  'EVENT_STORE_URL',
  'READ_MODEL_URL',
] as const;

/** A variable that may name a file instead. */
export type FileSecret = (typeof FILE_SECRETS)[number];

/** Those that hold secrets alone, and no place. */
export type SecretVariable = Exclude<FileSecret, 'EVENT_STORE_URL' | 'READ_MODEL_URL'>;

/** The variable that names a file in place of a variable's value. */
export const fileVariable = (variable: string): string => `${variable}_FILE`;
