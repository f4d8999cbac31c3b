import type { Config } from '../config/index.ts';
import { soMany } from '../domain/so-many.ts';
import type { Trouble } from '../domain/trouble.ts';
import { isEmptyFile } from '../event-store/empty-file.ts';
import { orphanLog } from '../event-store/orphan-log.ts';
import { otherHeldNames } from '../proofs/files/held-names.ts';
import { readCheckpoints } from '../proofs/files/kept-checkpoints.ts';

type Places = Pick<Config, 'dataDir' | 'eventStore' | 'readModel'>;

/** What is kept of checkpoints says in words what the log had; null: nothing says that there was an event. */
const signedWords = (dataDir: string): string | null => {
  try {
    const names = otherHeldNames(dataDir, '');
    if (names.length === 0) return null;
    const sizes = names.map((name) => readCheckpoints(dataDir, name).at(-1)?.size ?? null);
    // A key is kept behind a checkpoint that it signed, though that may be one of no event.
    if (sizes.every((size) => size === null)) return 'checkpoints of it were signed, which are gone too';
    const most = Math.max(0, ...sizes.map((size) => size ?? 0));
    return most === 0 ? null : `${soMany(most, 'event')} of it were signed`;
  } catch {
    return 'what was signed of it can’t be read';
  }
};

/** Read models are no proof, and all that tells of a log that nobody signed. What reads them is loaded where one is to be looked at. */
const includedWords = async ({ readModel }: Places): Promise<string | null> => {
  const { inspectReadModels } = await import('../read-models/sqlite/inspect-read-models.ts');
  const seen = inspectReadModels(readModel.file);
  return seen._tag === 'Serving' && seen.checkpoint !== null
    ? `read models include its events up to position ${seen.checkpoint.position}`
    : null;
};

/**
 * An embedded store that had events and is a file without a byte, as a copy or a disk leaves it that had no room, and what to do: a
 * start would begin a ledger without a history in its place. Null where there is something in it, no file, or nothing beside it that tells
 * of an event, as where the first start of all was killed. Nothing is made or changed.
 */
export const emptiedStore = async (places: Places): Promise<Trouble | null> => {
  const { eventStore, dataDir } = places;
  if (eventStore.kind !== 'sqlite' || !isEmptyFile(eventStore.file) || orphanLog(eventStore.file) !== null) return null;
  const words = signedWords(dataDir) ?? (await includedWords(places));
  if (words === null) return null;
  return {
    detail: `${eventStore.file} is empty, 0 bytes, and ${words}`,
    cure: 'restore a backup: ramp-ledger restore BACKUP --set-aside; where there is none, and its events are to be given up, remove the empty file',
  };
};
