import * as E from 'fp-ts/lib/Either.js';
import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  foreignOpen,
  isOwnDataFile,
  onlooker,
  openAbove,
  openAboveData,
  openDatabase,
  openSecretsInside,
  openToOthers,
  otherKinds,
  type Config,
  type Environment,
} from '../../config/index.ts';
import { EVENTS_ALONE, secondName, spoolAlone } from '../../event-store/second-name.ts';
import type { DataDirectorySeen } from '../../doctor/data-directory-check.ts';
import type { Disk, DisksSeen } from '../../doctor/disk-check.ts';
import type { Finding, NotLookedAt } from '../../doctor/doctor-check.ts';
import { isLocked, lockFileOf } from '../../event-store/sqlite/exclusive-lock.ts';
import { keptBrokenLogs } from '../../event-store/spool/kept-broken-log.ts';
import { leftDraftsIn } from '../left-drafts.ts';

const PASSABLE_FOR_OTHERS = 0o011;
const READABLE_FOR_OTHERS = 0o044;

/** A look fails where the machine does, at a disk that gives errors say: that is a fact too. */
const guarded = <A>(look: () => A): A | NotLookedAt => {
  try {
    return look();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return { _tag: 'NotLookedAt', code };
  }
};

const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The folder itself, or the nearest one above it that is there. */
const nearestFolder = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));

const hasBits = (path: string, bits: number): boolean => {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & bits) !== 0;
};

const readableFiles = (folder: string): readonly string[] =>
  hasBits(folder, PASSABLE_FOR_OTHERS)
    ? readdirSync(folder).filter((name) => hasBits(join(folder, name), READABLE_FOR_OTHERS))
    : [];

/** The files of a ledger's databases. */
export const databasesOf = ({ eventStore, readModel }: Pick<Config, 'eventStore' | 'readModel'>): readonly string[] => [
  ...(eventStore.kind === 'sqlite' ? [eventStore.file] : []),
  readModel.file,
];

/** A folder above that is open to others is nothing wrong by itself: volumes of containers are, where nobody else is. */
const firstAbove = (dataDir: string, databases: readonly string[], uid: number | null): readonly Finding[] => {
  const by = onlooker(uid);
  const elsewhere = databases.map((file) => openAbove(file, 'a database of the ledger', by));
  const [above] = [...openAboveData(dataDir, by), ...elsewhere.filter((open) => open !== null)];
  return above === undefined ? [] : [{ detail: above.detail, cure: `where others use the machine: ${above.cure}` }];
};

const leftOf = (dataDir: string): readonly Finding[] =>
  leftDraftsIn(dataDir).map((draft) => ({
    detail: `${draft} was left by a command that was killed`,
    cure: `the next start removes it, or: rm ${draft}*`,
  }));

/** Locks beside that of the ledger itself, of which another check tells: without one of them something is not taken, or refused. */
const LOCKS = ['imports.lock', 'months.lock'] as const;

const spoiledLocks = (dataDir: string, databases: readonly string[]): readonly Finding[] =>
  [...LOCKS.map((name) => join(dataDir, name)), ...databases.map(lockFileOf)].flatMap((lockFile) => {
    const locked = isLocked(lockFile);
    return E.isLeft(locked) && locked.left._tag === 'StoreDamaged'
      ? [{ detail: locked.left.detail, cure: locked.left.cure ?? '' }]
      : [];
  });

const spoiledLogs = (dataDir: string): readonly Finding[] =>
  keptBrokenLogs(join(dataDir, 'spool.db')).map((log) => ({
    detail: `${log} has what was answered 202 and could not be read any more when the ledger started`,
    cure: 'ask the provider to send again what came just before it was written, then remove it',
  }));

/** Databases that a start refuses, or spoils, since they have other names too; of read models their own check says so. */
const linkedOf = (dataDir: string, events: string | null): readonly Finding[] => {
  const spool = join(dataDir, 'spool.db');
  const found = [events === null ? null : secondName(events, EVENTS_ALONE), secondName(spool, spoolAlone(spool))];
  return found.filter((one) => one !== null);
};

/** Whom the ledger runs as: root looks after that of whoever the data directory belongs to. Null where there are no users. */
const ledgersUser = (dataDir: string): number | null => {
  const uid = process.getuid?.() ?? null;
  return uid === 0 ? statSync(dataDir).uid : uid;
};

/** Looks at the data directory and at databases in other folders, and makes nothing. */
export const lookAtDataDirectory = (
  dataDir: string,
  databases: readonly string[] = [],
  events: string | null = null,
  env: Environment = {},
): DataDirectorySeen =>
  guarded((): DataDirectorySeen => {
    const nearest = nearestFolder(dataDir);
    if (!statSync(nearest).isDirectory()) return { _tag: 'NoFolder', nearest };
    if (!isWritable(nearest)) return { _tag: 'NotWritable', nearest };
    if (nearest !== dataDir) return { _tag: 'NotThere' };
    const uid = ledgersUser(dataDir);
    const elsewhere = databases.filter((file) => dirname(file) !== dataDir);
    // In the data directory too a database may have a name that is none of the ledger's own.
    const named = databases.filter((file) => dirname(file) !== dataDir || !isOwnDataFile(dataDir, file));
    return {
      _tag: 'There',
      told: [...firstAbove(dataDir, elsewhere, uid), ...foreignOpen(dataDir, uid), ...leftOf(dataDir)],
      displaced: otherKinds(dataDir, databases, events),
      linked: linkedOf(dataDir, events),
      spoiled: [...spoiledLogs(dataDir), ...spoiledLocks(dataDir, databases)],
      changeable: [
        ...openToOthers(dataDir, uid),
        ...openSecretsInside(env, dataDir, uid),
        ...named.flatMap((file) => openDatabase(file, uid)),
      ],
      readableByOthers: readableFiles(dataDir),
    };
  });

/** What the operating system tells of disks. */
export type DiskFigures = {
  /** A number that all folders of one disk have in common. */
  readonly device: (folder: string) => number;
  readonly freeBytes: (folder: string) => number;
  /** Null for a file that is not there. */
  readonly fileBytes: (file: string) => number | null;
};

const systemDisk: DiskFigures = {
  device: (folder) => statSync(folder).dev,
  freeBytes: (folder) => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  },
  fileBytes: (file) => statSync(file, { throwIfNoEntry: false })?.size ?? null,
};

const foldersOf = ({ dataDir, eventStore, readModel }: Config): readonly Omit<Disk, 'freeBytes'>[] => [
  { variable: 'DATA_DIR', folder: dataDir },
  ...(eventStore.kind === 'sqlite' ? [{ variable: 'EVENT_STORE_URL', folder: dirname(eventStore.file) }] : []),
  { variable: 'READ_MODEL_URL', folder: dirname(readModel.file) },
];

/** Looks at each disk that a ledger writes to, once. */
export const lookAtDisks = (config: Config, figures: DiskFigures = systemDisk): DisksSeen =>
  guarded((): DisksSeen => {
    const disks = new Map<number, Disk>();
    for (const { variable, folder } of foldersOf(config)) {
      const there = nearestFolder(folder);
      const device = figures.device(there);
      if (!disks.has(device)) disks.set(device, { variable, folder, freeBytes: figures.freeBytes(there) });
    }
    const { eventStore } = config;
    const walBytes = eventStore.kind === 'sqlite' ? figures.fileBytes(`${eventStore.file}-wal`) : null;
    return { _tag: 'Disks', disks: [...disks.values()], walBytes };
  });
