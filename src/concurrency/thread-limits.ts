/**
 * What a thread may take, in MiB, for `resourceLimits` of a worker.
 *
 * - Its short-lived objects: Node gives each thread twice as much, and V8 takes it before it looks for garbage: five threads
 *   of a busy ledger then hold a hundred MiB for nothing.
 * - The room for machine code, of which no thread makes 10 MiB: V8 sets aside 512 for each, which count to the last byte
 *   where the system bounds the data of a process, and its end is the end of the process.
 */
export const THREAD_LIMITS = { maxYoungGenerationSizeMb: 24, codeRangeSizeMb: 64 } as const;

/**
 * What the objects of a thread may take, in MiB, that reads a file of somebody else's. The largest files of banks, 16 MiB of
 * short lines, take less than a hundred, a workbook of two hundred thousand rows some three hundred, since it is held as a whole;
 * one that is made for it would take the memory of the machine.
 */
export const FILE_HEAP_MB = 512;
