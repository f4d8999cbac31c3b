import { closeSync, constants, fsyncSync, openSync } from 'node:fs';
import { openForOwner } from '../../files/for-owner.ts';

const WRITING = {
  a: constants.O_WRONLY | constants.O_APPEND,
  w: constants.O_WRONLY | constants.O_TRUNC,
} as const;

/** Writes to a file, of mode 0600 where it is new, and waits until that is on the disk. Throws where the disk fails. */
export const durably = (file: string, flags: 'r' | keyof typeof WRITING, write: (handle: number) => void): void => {
  const handle = flags === 'r' ? openSync(file, flags) : openForOwner(file, WRITING[flags]);
  try {
    write(handle);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/** Appends to a file that may be new: its name is durable with its folder. */
export const durablyNamed = (folder: string, file: string, write: (handle: number) => void): void => {
  durably(file, 'a', write);
  durably(folder, 'r', () => undefined);
};
