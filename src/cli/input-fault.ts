import { statSync } from 'node:fs';
import { readingTrouble } from './file-trouble.ts';

/**
 * Why a file that a command was given can't be read; null: it can. A device is refused, since it may have no end
 * (`/dev/zero`); a pipe is read like a file.
 */
export const inputFault = (file: string): string | null => {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return `${file} is not there`;
    if (stats.isDirectory()) return `${file} is a folder`;
    return stats.isFile() || stats.isFIFO() ? null : `${file} is no file`;
  } catch (error) {
    // Who may not look into its folder is not told whether it is there.
    return `${file} can't be read (${readingTrouble(error)})`;
  }
};
