import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Resident memory of a process in bytes: now, and the most that it ever was. */
export type Memory = { readonly rss: number; readonly peak: number };

/** CPU time that a process has used, in seconds, all in all and by thread. */
export type CpuTime = { readonly total: number; readonly threads: ReadonlyMap<string, number> };

/** How many cores a process kept busy in a stretch of time, and how much of one its busiest thread did. */
export type CpuUse = { readonly cores: number; readonly busiestThread: number };

/** Something that a process has used, by the name of the thread that did; threads of one name are taken together. */
export type ByThread = ReadonlyMap<string, number>;

/** Bytes that a process made the system write to disks. */
export type Written = ByThread;

/** USER_HZ, which Linux fixes at 100 for everything that /proc shows. */
const TICKS_PER_SECOND = 100;
/** utime and stime of `/proc/<pid>/stat`, counted from the field that follows the name in parentheses. */
const [UTIME, STIME] = [11, 12];

const read = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
};

const seconds = (stat: string | null): number | null => {
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[UTIME]) + Number(fields[STIME])) / TICKS_PER_SECOND;
};

const threadIds = (pid: number): readonly string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
};

/** Null where the system has no /proc, or the process has ended. */
export const cpuTimeOf = (pid: number): CpuTime | null => {
  const total = seconds(read(`/proc/${pid}/stat`));
  if (total === null) return null;
  const threads = new Map<string, number>();
  for (const id of threadIds(pid)) threads.set(id, seconds(read(`/proc/${pid}/task/${id}/stat`)) ?? 0);
  return { total, threads };
};

/** What was used between two readings that lie `elapsed` seconds apart. */
export const cpuUse = (before: CpuTime | null, after: CpuTime | null, elapsed: number): CpuUse | null => {
  if (before === null || after === null) return null;
  const byThread = [...after.threads].map(([id, used]) => used - (before.threads.get(id) ?? 0));
  return { cores: (after.total - before.total) / elapsed, busiestThread: Math.max(0, ...byThread) / elapsed };
};

/** What the system calls the thread that a Node process begins with. */
const MAIN_THREAD = 'node-MainThread';

const byThread = (pid: number, file: string, valueOf: (text: string) => number): ByThread => {
  const used = new Map<string, number>();
  for (const id of threadIds(pid)) {
    const text = read(`/proc/${pid}/task/${id}/${file}`);
    const name = read(`/proc/${pid}/task/${id}/comm`)?.trim() ?? id;
    // The thread that a process begins with has its number, and a name that the process may change.
    const thread = id === String(pid) || name === MAIN_THREAD ? 'receiving' : name;
    if (text !== null) used.set(thread, (used.get(thread) ?? 0) + valueOf(text));
  }
  return used;
};

/**
 * Whole pages of the system are counted, once for each time that they go to the disk. Empty where the system tells nobody.
 */
export const writtenBy = (pid: number): Written =>
  byThread(pid, 'io', (text) => Number(/^write_bytes: (\d+)$/m.exec(text)?.[1] ?? 0));

const NANOSECONDS = 1_000;

/** Processor time that was used, in microseconds. Unlike a rate it hardly depends on what else the machine does. */
export const processorBy = (pid: number): ByThread =>
  byThread(pid, 'schedstat', (text) => Number(text.split(' ')[0] ?? 0) / NANOSECONDS);

/** What was used between two readings, by those threads that used anything. */
export const usedSince = (before: ByThread, after: ByThread): ByThread =>
  new Map(
    [...after]
      .map(([thread, used]) => [thread, used - (before.get(thread) ?? 0)] as const)
      .filter(([, used]) => used > 0),
  );

/** Null where the system has no /proc, or the process has ended. */
export const memoryOf = (pid: number): Memory | null => {
  const status = read(`/proc/${pid}/status`);
  if (status === null) return null;
  const bytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
  return { rss: bytes('VmRSS'), peak: bytes('VmHWM') };
};

/** Lets the peak of `memoryOf` begin anew from what is resident now; false where the system can't. */
export const forgetPeak = (pid: number): boolean => {
  try {
    // proc(5), clear_refs: 5 resets VmHWM.
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    return true;
  } catch {
    return false;
  }
};
