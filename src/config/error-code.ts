/** The stable code of a system error, `EACCES`: unlike its message it has no path in it. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown error';
