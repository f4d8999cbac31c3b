import { dirname } from 'node:path';
import { brokenLink, type BrokenLink } from './broken-link.ts';
import { configError, quoted, type ConfigError } from './config-error.ts';
import type { Config } from './config.ts';
import { errorCode } from './error-code.ts';
import { openAbove, openDatabase, openToOthers, type OpenToOthers } from './open-to-others.ts';

/** Where a ledger keeps itself: the data directory, and its databases elsewhere, each with the variable that names it. */
type Places = Pick<Config, 'dataDir' | 'eventStore' | 'readModel'>;

/** Those that are not among the files of the data directory: what is in another folder inside of it is looked at with that database alone. */
const databasesElsewhere = ({ dataDir, eventStore, readModel }: Places): readonly (readonly [string, string])[] => {
  const events = eventStore.kind === 'sqlite' ? ([['EVENT_STORE_URL', eventStore.file]] as const) : [];
  return [...events, ['READ_MODEL_URL', readModel.file] as const].filter(([, file]) => dirname(file) !== dataDir);
};

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
  ...databasesElsewhere(places).map(([variable, file]) => ({
    variable,
    path: file,
    folder: dirname(file),
    open: () => openDatabase(file, uid),
  })),
];

/**
 * Why a ledger can't keep itself safely where the configuration has it; null: it can. Others must not be able to exchange what
 * one that serves keeps and reads, and no folder can be made where a link leads to nothing.
 */
export const unsafePlace = (places: Places): ConfigError | null => {
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
  return null;
};

/** Lines that tell of folders above in which everybody may exchange the ledger's, each with its variable and the cure. */
export const placeWarnings = (places: Places): readonly string[] =>
  [
    ['DATA_DIR', openAbove(places.dataDir)] as const,
    ...databasesElsewhere(places).map(([variable, file]) => [variable, openAbove(file, 'the database')] as const),
  ].flatMap(([variable, open]) => (open === null ? [] : [`${variable}: ${open.detail}; ${open.cure}`]));
