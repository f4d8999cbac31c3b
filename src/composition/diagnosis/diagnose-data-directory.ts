import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { judged, well, wrong, type DoctorCheck } from '../../cli/doctor-check.ts';

const NAME = 'data directory';

const PASSABLE_FOR_OTHERS = 0o011;
const READABLE_FOR_OTHERS = 0o044;

const ANOTHER = 'set DATA_DIR to a folder that this user can write to';

const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The folder itself, or the nearest one above it that is there. */
export const nearestFolder = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));

const hasBits = (path: string, bits: number): boolean => {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & bits) !== 0;
};

const readableFiles = (folder: string): readonly string[] =>
  hasBits(folder, PASSABLE_FOR_OTHERS)
    ? readdirSync(folder).filter((name) => hasBits(join(folder, name), READABLE_FOR_OTHERS))
    : [];

/** Whether the ledger can keep itself there, and keeps it from others: orders are personal data. Nothing is made. */
export const dataDirectoryCheck = (dataDir: string): DoctorCheck => {
  const nearest = nearestFolder(dataDir);
  if (!statSync(nearest).isDirectory()) return wrong(NAME, `${nearest} is no folder`, ANOTHER);
  if (!isWritable(nearest)) return wrong(NAME, `${nearest} can't be written to by this user`, ANOTHER);
  if (nearest !== dataDir) return well(NAME, `${dataDir} is not there yet; the first start makes it`);
  const [first, ...others] = readableFiles(dataDir);
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const loose =
    first === undefined
      ? []
      : [
          {
            detail: `others on this machine can read ${first}${more}; personal data and secrets are there`,
            cure: `chmod 700 the folder that DATA_DIR names`,
          },
        ];
  return judged(NAME, dataDir, loose);
};
