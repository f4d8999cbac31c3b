import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { judged, type DoctorCheck } from '../../cli/doctor-check.ts';
import type { Config } from '../../config/index.ts';
import { nearestFolder } from './diagnose-data-directory.ts';
import { bytesText } from './figures-as-text.ts';
import type { Trouble } from './problem-and-cure.ts';

const NAME = 'disk';
const GIB = 1_024 ** 3;

/** A full disk answers 503: a spool of the usual size must fit. */
const LEAST_FREE = GIB;
/** It is taken into the file every few hundred pages, unless a reader that never ends holds it back. */
const LARGEST_WAL = GIB;

/** How much room there is at a folder, and how much a file takes; null for a file that is not there. */
export type DiskFigures = {
  readonly device: (folder: string) => number;
  readonly freeBytes: (folder: string) => number;
  readonly fileBytes: (file: string) => number | null;
};

export const systemDisk: DiskFigures = {
  device: (folder) => statSync(folder).dev,
  freeBytes: (folder) => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  },
  fileBytes: (file) => statSync(file, { throwIfNoEntry: false })?.size ?? null,
};

type Place = { readonly variable: string; readonly folder: string };

const placesOf = ({ dataDir, eventStore, readModel }: Config): readonly Place[] => [
  { variable: 'DATA_DIR', folder: dataDir },
  ...(eventStore.kind === 'sqlite' ? [{ variable: 'EVENT_STORE_URL', folder: dirname(eventStore.file) }] : []),
  { variable: 'READ_MODEL_URL', folder: dirname(readModel.file) },
];

/** Whether there is room for what comes, on each disk that the ledger writes to. */
export const diskCheck = (config: Config, { device, freeBytes, fileBytes }: DiskFigures): DoctorCheck => {
  const disks = new Map<number, Place & { readonly free: number }>();
  for (const { variable, folder } of placesOf(config)) {
    const there = nearestFolder(folder);
    const disk = device(there);
    if (!disks.has(disk)) disks.set(disk, { variable, folder, free: freeBytes(there) });
  }
  const lines = [...disks.values()].map(({ folder, free }) => `${bytesText(free)} free at ${folder}`);
  const short: readonly Trouble[] = [...disks.values()]
    .filter(({ free }) => free < LEAST_FREE)
    .map(({ variable, folder, free }) => ({
      detail: `only ${bytesText(free)} are free at ${folder}; deliveries are answered 503 where the disk is full`,
      cure: `make room at the place that ${variable} names, or move it to a larger disk`,
    }));
  const wal = config.eventStore.kind === 'sqlite' ? fileBytes(`${config.eventStore.file}-wal`) : null;
  const long: readonly Trouble[] =
    wal === null || wal <= LARGEST_WAL
      ? []
      : [
          {
            detail: `the write-ahead log of the event store has grown to ${bytesText(wal)}`,
            cure: 'end commands that read for long, or restart the ledger (ramp-ledger serve): it is taken into the file then',
          },
        ];
  return judged(NAME, lines.join('\n'), [...short, ...long]);
};
