import { existsSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { readOwnFile } from '../../files/own-file.ts';
import { lossesFile, type AcceptedLoss } from './accepted-losses.ts';
import { durably, durablyNamed } from './durably.ts';
import { nextOrigin } from './next-origin.ts';

/** The file of a generated name says the one of now. */
const renameLog = (dataDir: string, from: string, to: string): void => {
  const file = join(dataDir, 'origin');
  if (!existsSync(file) || readOwnFile(file).trimEnd() !== from) return;
  const draft = `${file}.draft`;
  durably(draft, 'w', (handle) => writeFileSync(handle, `${to}\n`));
  renameSync(draft, file);
};

/**
 * Accepts a loss: durable when this returns. Its answer is the name of the log that begins. Throws where the disk fails.
 *
 * @param others what was signed last under other names that end with it
 */
export const acceptLoss = (
  dataDir: string,
  loss: Omit<AcceptedLoss, 'to'>,
  random: (count: number) => Buffer,
  others: readonly { readonly origin: string; readonly size: number }[] = [],
): AcceptedLoss => {
  const accepted = { ...loss, to: nextOrigin(dataDir, loss.from, random) };
  const { at, note, from, to, size } = accepted;
  const ended = [{ origin: from, size }, ...others];
  // A line that was cut off is ended by the first of these.
  durablyNamed(dataDir, lossesFile(dataDir), (handle) => {
    const lines = ended.map((log) => JSON.stringify({ at, note, from: log.origin, to, size: log.size }));
    writeSync(handle, `\n${lines.join('\n')}\n`);
  });
  renameLog(dataDir, from, to);
  return accepted;
};
