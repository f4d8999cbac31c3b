import { dirname } from 'node:path';
import { brokenLink, type BrokenLink } from './broken-link.ts';
import { configError, quoted, type ConfigError } from './config-error.ts';
import type { Config } from './config.ts';
import type { Environment } from './environment.ts';
import { errorCode } from './error-code.ts';
import { foreignOpen } from './foreign-files.ts';
import { openDatabase, openToOthers, pipesInPlace, type OpenToOthers } from './open-to-others.ts';
import { openAbove, openAboveData } from './open-above.ts';
import { openSecretsInside } from './open-secret-files.ts';
import { otherKinds, type OtherKind } from './other-kinds.ts';
import { isOfDatabase, isOwnDataFile } from './own-data-files.ts';

/** Where a ledger keeps itself: the data directory, and its databases elsewhere, each with the variable that names it. */
type Places = Pick<Config, 'dataDir' | 'eventStore' | 'readModel'>;

const databases = ({ eventStore, readModel }: Places): readonly (readonly [string, string])[] => [
  ...(eventStore.kind === 'sqlite' ? ([['EVENT_STORE_URL', eventStore.file]] as const) : []),
  ['READ_MODEL_URL', readModel.file],
];

/** What stands in the data directory, or beside a database elsewhere, in place of what the ledger keeps there. */
const kindsIn = (places: Places): readonly OtherKind[] => {
  const { dataDir, eventStore } = places;
  const files = databases(places).map(([, file]) => file);
  return otherKinds(dataDir, files, eventStore.kind === 'sqlite' ? eventStore.file : null);
};

/** Those that are in another folder, inside the data directory or not. */
const databasesElsewhere = (places: Places): readonly (readonly [string, string])[] =>
  databases(places).filter(([, file]) => dirname(file) !== places.dataDir);

/** Those that are not among the ledger's own files of the data directory: they are looked at by the names that they were given. */
const databasesNamed = (places: Places): readonly (readonly [string, string])[] =>
  databases(places).filter(([, file]) => dirname(file) !== places.dataDir || !isOwnDataFile(places.dataDir, file));

const leadsNowhere = (variable: string, { link, target }: BrokenLink): ConfigError =>
  configError(
    variable,
    `${quoted(link)} is a link to ${quoted(target)}, which is not there`,
    'mount or make what it leads to, or name another folder',
  );

/** What is looked at under the name of a variable: the folder that must be there or be made, and what others may change of it. */
type Look = {
  readonly variable: string;
  readonly path: string;
  readonly folder: string;
  readonly open: () => readonly OpenToOthers[];
};

const looksAt = (places: Places, uid: number | null): readonly Look[] => [
  {
    variable: 'DATA_DIR',
    path: places.dataDir,
    folder: places.dataDir,
    open: () => openToOthers(places.dataDir, uid),
  },
  ...databasesNamed(places).map(([variable, file]) => ({
    variable,
    path: file,
    folder: dirname(file),
    open: () => openDatabase(file, uid),
  })),
];

/**
 * Why a ledger can't keep itself safely where the configuration has it; null: it can. Others must not be able to exchange what
 * one that serves keeps and reads, no folder can be made where a link leads to nothing, and no file where a folder is.
 */
export const unsafePlace = (places: Places, env: Environment): ConfigError | null => {
  for (const { variable, path, folder, open } of looksAt(places, process.getuid?.() ?? null)) {
    try {
      const broken = brokenLink(folder);
      if (broken !== null) return leadsNowhere(variable, broken);
      const [first] = open();
      if (first !== undefined) return configError(variable, first.detail, first.cure);
    } catch (error) {
      const problem = `${quoted(path)} can't be looked at (${errorCode(error)})`;
      return configError(variable, problem, 'name a folder that the user of the ledger can read');
    }
  }
  const [secret] = openSecretsInside(env, places.dataDir, process.getuid?.() ?? null);
  if (secret !== undefined) return configError(secret.variable, secret.detail, secret.cure);
  const kind = kindsIn(places).find(({ refuses }) => refuses);
  return kind === undefined ? null : configError('DATA_DIR', kind.detail, kind.cure);
};

/** Pipes and devices in the place of files, and what stands in the place of the log or lock of the events. */
const notToBeOpened = (places: Places): readonly OpenToOthers[] => {
  const { dataDir, eventStore } = places;
  const files = databases(places).map(([, file]) => file);
  const ofEvents = kindsIn(places).filter(
    ({ path }) => eventStore.kind === 'sqlite' && isOfDatabase(eventStore.file, path),
  );
  return [...pipesInPlace(dataDir, files), ...ofEvents];
};

/**
 * Why no command can read what a ledger has, or would stand at it for ever; null: it can, or it can't be looked at, of which who opens it
 * says why. What others can change is no reason.
 */
export const unreadablePlace = (places: Places): ConfigError | null => {
  try {
    const [first] = notToBeOpened(places);
    return first === undefined ? null : configError('DATA_DIR', first.detail, first.cure);
  } catch {
    return null;
  }
};

/**
 * Lines that tell of folders above in which somebody else may exchange the ledger's, of files of others in the data directory, and of what
 * stands there in place of something that a ledger can serve without for a while; each with its variable and the cure.
 */
export const placeWarnings = (places: Places): readonly string[] =>
  [
    ...kindsIn(places).map((kind) => ['DATA_DIR', kind] as const),
    ...foreignOpen(places.dataDir, process.getuid?.() ?? null).map((open) => ['DATA_DIR', open] as const),
    ...openAboveData(places.dataDir).map((open) => ['DATA_DIR', open] as const),
    ...databasesElsewhere(places).map(([variable, file]) => [variable, openAbove(file, 'the database')] as const),
  ].flatMap(([variable, open]) => (open === null ? [] : [`${variable}: ${open.detail}; ${open.cure}`]));
