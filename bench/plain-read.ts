import { setImmediate as turn } from 'node:timers/promises';
import Database from 'better-sqlite3';

type Row = { readonly position: number; readonly data: string; readonly metadata: string };

/** Read at a time: faster than one by one, and signals are heard in between. */
const PAGE = 1_000;

/**
 * The yardstick of what reads the whole log: one thread reads every event from the SQLite file in the order of positions,
 * and does one thing with it. Answers how long that takes, in seconds.
 *
 * @throws Error where it did not find as many events as there should be
 */
export const plainRead = async (
  file: string,
  events: number,
  use: (data: string, metadata: string) => unknown,
): Promise<number> => {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  const page = database.prepare<[number, number], Row>(
    'SELECT position, data, metadata FROM events WHERE position > ? ORDER BY position LIMIT ?',
  );
  const start = performance.now();
  let [after, seen] = [0, 0];
  for (;;) {
    const rows = page.all(after, PAGE);
    for (const { data, metadata } of rows) use(data, metadata);
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.position;
    seen += rows.length;
    await turn();
  }
  const seconds = (performance.now() - start) / 1000;
  database.close();
  if (seen !== events) throw new Error(`${file} holds ${seen} events where ${events} were expected`);
  return seconds;
};
