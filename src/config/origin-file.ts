import { noteNameBegun } from '../proofs/files/begun-here.ts';
import { nameOfLog } from '../proofs/files/log-keys.ts';
import { namesOfLog } from '../proofs/files/names-of-log.ts';
import { isGeneratedOrigin, isTornOrigin, newOrigin } from '../proofs/generated-origin.ts';
import { isKeyName } from '../proofs/signed-note.ts';
import type { GeneratedKind } from './generated-file.ts';

const LONGEST = 200;

/** Whether a text can be the name of a log: it stands in signed notes. */
export const isOrigin = (text: string): boolean => isKeyName(text) && text.length <= LONGEST;

/**
 * Whether a name is all of one. One that was cut off is a name in its form too, and under it the log would be held to none of
 * its checkpoints. What something was signed under is whole whatever its form: it may have been configured then.
 */
const isWhole = (dataDir: string, text: string): boolean => {
  if (isGeneratedOrigin(text)) return true;
  const known = namesOfLog(dataDir);
  return known.includes(text) || !(isTornOrigin(text) || known.some((name) => name.startsWith(text)));
};

/**
 * The file that keeps a log's name where none is configured. A log that has signed and whose file is gone goes on under the
 * name that it signed under last: under another one it would be held to none of its checkpoints, and nobody would hear of
 * what it has lost. Throws where the disk fails.
 */
export const originFile = (dataDir: string): GeneratedKind => ({
  make: (random) => {
    const known = nameOfLog(dataDir, null);
    if (known !== null) return known;
    const made = newOrigin(random);
    noteNameBegun(dataDir, made);
    return made;
  },
  is: (text) => isOrigin(text) && isWhole(dataDir, text),
  form: 'one line with the whole name of a log',
});
