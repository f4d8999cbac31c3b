import { placeOfFile } from '../event-store/place-of-file.ts';
import { configError, type ConfigError } from './config-error.ts';
import type { Config } from './config.ts';
import { isOfDatabase, ownFileMetBy } from './own-data-files.ts';

type Places = Pick<Config, 'dataDir' | 'eventStore' | 'readModel'>;

const CURE = 'name a file of another name; what is there already can be renamed while no ledger runs';

const met = (variable: string, file: string, what: string): ConfigError =>
  configError(variable, `${file} and what is kept beside it would have the names of ${what}`, CURE);

/**
 * A database whose name, or that of its lock or another file beside it, is that of something else that the ledger keeps: a
 * lock of the data directory would be taken for one of the database, and the ledger be in its own way. Null: there is none.
 * Nothing is made or opened.
 */
export const collidingDatabase = ({ dataDir, eventStore, readModel }: Places): ConfigError | null => {
  const folder = placeOfFile(dataDir);
  const [events, models] = [
    eventStore.kind === 'sqlite' ? placeOfFile(eventStore.file) : null,
    placeOfFile(readModel.file),
  ];
  const ofEvents = events === null ? null : ownFileMetBy(folder, events);
  if (eventStore.kind === 'sqlite' && ofEvents !== null) return met('EVENT_STORE_URL', eventStore.file, ofEvents);
  const ofModels = ownFileMetBy(folder, models);
  if (ofModels !== null) return met('READ_MODEL_URL', readModel.file, ofModels);
  if (events === null) return null;
  if (events === models) {
    const cure = 'give the read models a file of their own';
    return configError('READ_MODEL_URL', 'it names the file of the event store', cure);
  }
  const areOfEachOther = isOfDatabase(events, models) || isOfDatabase(models, events);
  return areOfEachOther ? met('READ_MODEL_URL', readModel.file, 'files of the event store') : null;
};
