type WriteLine = (fields: object, message: string) => void;

/** Where the interface reports what callers must not see; pino's logger fits. */
export type ApiLog = { readonly error: WriteLine; readonly warn: WriteLine };
