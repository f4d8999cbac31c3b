import * as E from 'fp-ts/lib/Either.js';
import type { CommandFailure } from '../cli/command-failure.ts';
import { misplacedDatabases, type Config } from '../config/index.ts';
import { Generations, type GenerationsError } from '../read-models/sqlite/generations.ts';

type Places = Pick<Config, 'dataDir' | 'eventStore' | 'readModel'>;

/** SQLite says the same of a wrong place and of too many open files, or a disk that can't be written to now. */
const isWrongSetting = ({ _tag }: GenerationsError, places: Places): boolean => {
  if (_tag !== 'GenerationsMisplaced') return _tag === 'GenerationsForeign';
  return misplacedDatabases(places, ['READ_MODEL_URL']).some(({ mayPass }) => !mayPass);
};

/**
 * The read models' file. A place where there can be none is a wrong setting, which a start refuses; a file of the ledger's that
 * is damaged, or can't be opened for a reason that may pass, is none.
 */
export const openGenerations = (places: Places): E.Either<CommandFailure, Generations> =>
  E.mapLeft((error: GenerationsError): CommandFailure =>
    isWrongSetting(error, places)
      ? { status: 2, line: `READ_MODEL_URL: ${error.detail}` }
      : { status: 1, line: error.detail },
  )(Generations.open(places.readModel.file));
