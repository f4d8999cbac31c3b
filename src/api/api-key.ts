/** A key that callers authenticate with, as the configuration gives it; the key itself is not kept. */
export type ApiKey = {
  readonly id: string;
  readonly scopes: ReadonlySet<string>;
  /** SHA-256 of the key's UTF-8 bytes, 64 hex digits. */
  readonly sha256: string;
};
