import { judged, notLookedAt, type DoctorCheck, type Finding, type NotLookedAt } from './doctor-check.ts';
import { bytesText } from './figures-as-text.ts';

const NAME = 'disk';
const GIB = 1_024 ** 3;

/** A full disk answers 503: a spool of the usual size must fit. */
const LEAST_FREE = GIB;
/** It is taken into the file every few hundred pages, unless a reader that never ends holds it back. */
const LARGEST_WAL = GIB;

/** A disk that the ledger writes to, by one folder on it and the variable that leads there. */
export type Disk = { readonly variable: string; readonly folder: string; readonly freeBytes: number };

/** What was found of the disks. */
export type DisksSeen =
  | NotLookedAt
  | {
      readonly _tag: 'Disks';
      /** Each once. */
      readonly disks: readonly Disk[];
      /** Size of the write-ahead log of an embedded event store; null where there is none. */
      readonly walBytes: number | null;
    };

/** What comes of it: read models on a disk of their own are needed for no delivery. */
const whenFull = (variable: string): string =>
  variable === 'READ_MODEL_URL'
    ? 'lists and reports fall behind the log, and deliveries are taken all the same'
    : 'each delivery is answered 503';

/** Whether there is room for what comes, on each disk that the ledger writes to. */
export const diskCheck = (seen: DisksSeen): DoctorCheck => {
  if (seen._tag === 'NotLookedAt') return notLookedAt(NAME, seen);
  const { disks, walBytes } = seen;
  const lines = disks.map(({ folder, freeBytes }) => `${bytesText(freeBytes)} free at ${folder}`);
  const short: readonly Finding[] = disks
    .filter(({ freeBytes }) => freeBytes < LEAST_FREE)
    .map(({ variable, folder, freeBytes }) => ({
      detail: `only ${bytesText(freeBytes)} are free at ${folder}; once nothing is left there, ${whenFull(variable)}`,
      cure: `make room at the place that ${variable} names, or move it to a larger disk`,
    }));
  const long: readonly Finding[] =
    walBytes === null || walBytes <= LARGEST_WAL
      ? []
      : [
          {
            detail: `the write-ahead log of the event store has grown to ${bytesText(walBytes)}`,
            cure: 'end commands that read for long, or restart the ledger (ramp-ledger serve): it is taken into the file then',
          },
        ];
  return judged(NAME, lines.join('\n'), [...short, ...long]);
};
