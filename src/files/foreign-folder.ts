import { statSync } from 'node:fs';

/**
 * Why a command may make nothing in a data directory; null: it may. Whoever serves from it could not use what another user makes
 * there. Root could give that away, but not safely: a link that the folder's owner puts in the place of a file would lead root
 * wherever he wants. Throws where the folder can't be looked at.
 */
export const foreignFolder = (dataDir: string): string | null => {
  const uid = process.geteuid?.();
  const there = statSync(dataDir, { throwIfNoEntry: false });
  if (uid === undefined || there === undefined || there.uid === uid) return null;
  return `${dataDir} belongs to another user (uid ${there.uid}, this command runs as ${uid}), who could not use what it makes there: run it as that user`;
};
