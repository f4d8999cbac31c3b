import { readFileSync } from 'node:fs';

const MOUNT_INFO = '/proc/self/mountinfo';
const MOUNT_POINT = 4;

/** Blanks and backslashes are written by their octal codes. */
const unescaped = (path: string): string =>
  path.replaceAll(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));

/** What this process sees mounted, as Linux writes it (proc(5), mountinfo); empty where the system does not say. */
export const readMountInfo = (): string => {
  try {
    return readFileSync(MOUNT_INFO, 'latin1');
  } catch {
    return '';
  }
};

/** Whether something is mounted at exactly this place. */
export const isMountPoint = (path: string, mountInfo: string): boolean => {
  const bytes = Buffer.from(path).toString('latin1');
  return mountInfo.split('\n').some((line) => line !== '' && unescaped(line.split(' ')[MOUNT_POINT] ?? '') === bytes);
};
