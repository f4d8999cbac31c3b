import { parseNote, type Note } from './signed-note.ts';

/**
 * Reads a note that somebody kept and copied: blanks around lines, line breaks of two characters and a missing last one come
 * with that, and the signature is of the text without them. Null for what is no note.
 */
export const copiedNote = (written: string): Note | null => {
  const lines = written.split('\n').map((line) => line.trim());
  return parseNote(`${lines.join('\n').trim()}\n`);
};
