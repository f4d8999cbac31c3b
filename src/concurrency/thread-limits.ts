/**
 * What a thread's short-lived objects may take, in MiB, for `resourceLimits` of a worker. Node gives each thread twice as
 * much, and V8 takes it before it looks for garbage: five threads of a busy ledger then hold a hundred MiB for nothing.
 */
export const THREAD_LIMITS = { maxYoungGenerationSizeMb: 24 } as const;
