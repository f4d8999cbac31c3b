import type { CommandFailure } from '../cli/command-failure.ts';
import { troubleLine } from '../domain/trouble.ts';
import type { OpenError } from '../event-store/sqlite/open-error.ts';

/** A store that could not be opened, as whoever configured it is told: a place where there can be none is a wrong setting. */
export const storeFailure = (error: OpenError): CommandFailure => {
  switch (error._tag) {
    case 'DataDirUnusable':
      return { status: 2, line: troubleLine(error) };
    case 'StoreMisplaced':
    case 'StoreNotALedger':
      return { status: 2, line: `EVENT_STORE_URL: ${troubleLine(error)}` };
    case 'StoreInUse':
    case 'StoreDamaged':
    case 'StoreOfNewerSchema':
    case 'StoreUnusable':
      break;
  }
  return { status: 1, line: troubleLine(error) };
};
