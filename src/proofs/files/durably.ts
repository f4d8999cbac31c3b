import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Writes to a file, of mode 0600 where it is new, and waits until that is on the disk. Throws where the disk fails. */
export const durably = (file: string, flags: 'r' | 'a' | 'w', write: (handle: number) => void): void => {
  const handle = openSync(file, flags, 0o600);
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
