import { fstatSync, statSync } from 'node:fs';
import { devNull } from 'node:os';

/**
 * Whether what is written to a descriptor is thrown away: it is the null device. That is also so where the program was
 * started with a standard stream closed, since Node then opens the null device in its place.
 *
 * @param descriptor an open one; 1 is standard output
 */
export const isNullDevice = (descriptor: number): boolean => {
  const stats = fstatSync(descriptor);
  return stats.isCharacterDevice() && stats.rdev === statSync(devNull, { throwIfNoEntry: false })?.rdev;
};
