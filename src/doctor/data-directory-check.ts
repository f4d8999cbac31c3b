import { judged, notLookedAt, well, wrong, type DoctorCheck, type NotLookedAt, type Finding } from './doctor-check.ts';

const NAME = 'data directory';

/** One of them refuses the start; some more help to mend all at once. */
const MOST_NAMED = 5;

const ANOTHER = 'set DATA_DIR to a folder that this user can write to';

/** What is at the place that DATA_DIR names; `nearest`: the nearest thing on the way there that exists. */
export type DataDirectorySeen =
  | NotLookedAt
  | { readonly _tag: 'NoFolder'; readonly nearest: string }
  | { readonly _tag: 'NotWritable'; readonly nearest: string }
  /** It is there, as its permissions say for this user too, and the system lets no file be made in a folder; with its code. */
  | { readonly _tag: 'Refuses'; readonly folder: string; readonly code: string }
  /** It can be made. */
  | { readonly _tag: 'NotThere' }
  | {
      readonly _tag: 'There';
      /**
       * What is told of and is no harm by itself: a folder above it in which everybody may exchange it, a file that is none of the
       * ledger's, what a command has left.
       */
      readonly told: readonly Finding[];
      /** What stands there in place of something that the ledger keeps. */
      readonly displaced: readonly Finding[];
      /** Databases that have other names, by which another ledger could open them. */
      readonly linked: readonly Finding[];
      /** What is not as it was written: a log of promises, kept since it could not be read; locks. */
      readonly spoiled: readonly Finding[];
      /** What others may write to. */
      readonly changeable: readonly Finding[];
      /** Names of files that others on this machine can read. */
      readonly readableByOthers: readonly string[];
    };

/** What the system says where it lets no file be made, and what to do about it: no other folder on that disk would do. */
const refusal = (folder: string, code: string): Finding => {
  switch (code) {
    case 'EROFS':
      return {
        detail: `${folder} can't be written to: its file system is read-only (EROFS)`,
        cure: "the system makes it so where its disk fails: see the system's messages (dmesg), mend the disk, have its file system checked (fsck) and mounted for writing again, then start the ledger; keep DATA_DIR, which holds what was acknowledged",
      };
    case 'ENOSPC':
    case 'EDQUOT':
      return {
        detail: `no file can be made in ${folder}: there is no room (${code})`,
        cure: 'make room on the disk of DATA_DIR',
      };
    case 'EACCES':
    case 'EPERM':
      return { detail: `${folder} can't be written to by this user`, cure: ANOTHER };
    default:
      return {
        detail: `no file can be made in ${folder} (${code})`,
        cure: "see the system's messages (dmesg) about the disk of DATA_DIR, and mend it",
      };
  }
};

const placed = (dataDir: string, told: readonly Finding[]): string =>
  [dataDir, ...told.map(({ detail, cure }) => `${detail}; ${cure}`)].join('\n');

/** Whether the ledger can keep itself there, and keeps it from others: orders are personal data. */
export const dataDirectoryCheck = (dataDir: string, seen: DataDirectorySeen): DoctorCheck => {
  switch (seen._tag) {
    case 'NotLookedAt':
      return notLookedAt(NAME, seen);
    case 'NoFolder':
      return wrong(NAME, `${seen.nearest} is no folder`, ANOTHER);
    case 'NotWritable':
      return wrong(NAME, `${seen.nearest} can't be written to by this user`, ANOTHER);
    case 'Refuses':
      return judged(NAME, '', [refusal(seen.folder, seen.code)]);
    case 'NotThere':
      return well(NAME, `${dataDir} is not there yet; the first start makes it`);
    case 'There':
  }
  const [first, ...others] = seen.readableByOthers;
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
  return judged(NAME, placed(dataDir, seen.told), [
    ...seen.displaced,
    ...seen.linked,
    ...seen.spoiled,
    ...seen.changeable.slice(0, MOST_NAMED),
    ...loose,
  ]);
};
