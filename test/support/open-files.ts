import { readdirSync, readlinkSync } from 'node:fs';

/** The files that this process has open and whose paths begin so, as Linux tells them. */
export const openFilesOf = (path: string): readonly string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${fd}`);
      return file.startsWith(path) ? [file] : [];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
