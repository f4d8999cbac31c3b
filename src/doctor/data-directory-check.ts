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
  /** It can be made. */
  | { readonly _tag: 'NotThere' }
  | {
      readonly _tag: 'There';
      /** What is told of and may be right: a folder above it in which everybody may exchange it. */
      readonly told: readonly Finding[];
      /** Databases that have other names, by which another ledger could open them. */
      readonly linked: readonly Finding[];
      /** What others may write to. */
      readonly changeable: readonly Finding[];
      /** Names of files that others on this machine can read. */
      readonly readableByOthers: readonly string[];
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
  return judged(NAME, placed(dataDir, seen.told), [...seen.linked, ...seen.changeable.slice(0, MOST_NAMED), ...loose]);
};
