import { judged, well, wrong, type DoctorCheck } from '../../cli/doctor-check.ts';
import type { EventStoreLocation } from '../../config/index.ts';
import type { ReadModelsSeen } from '../../read-models/sqlite/inspect-read-models.ts';
import type { ExaminedLog } from './examined-log.ts';
import { counted } from './figures-as-text.ts';
import { storeName } from '../store-name.ts';

const NAME = 'event store';

/** Whether the log can be read, and is there where read models say that it was. */
export const eventStoreCheck = (
  location: EventStoreLocation,
  log: ExaminedLog,
  readModels: ReadModelsSeen,
): DoctorCheck => {
  const name = storeName(location);
  if (log._tag === 'Away') return judged(NAME, name, [log]);
  const isMissed = readModels._tag === 'Serving' && readModels.checkpoint !== null;
  if (log._tag === 'NotThere') {
    return isMissed
      ? wrong(
          NAME,
          `${name} is not there, though read models of its events are`,
          'bring the file back, from a backup if need be, or set EVENT_STORE_URL to where it is',
        )
      : well(NAME, `${name} is not there yet; the first start makes it`);
  }
  const { newest, isWhole, about } = log;
  const [last] = newest;
  const holds =
    last === undefined
      ? 'no event yet'
      : `${isWhole ? counted(newest.length, 'event') : `more than ${counted(newest.length, 'event')}`}, the last of ${last.recordedAt}, position ${last.position}`;
  return well(NAME, `${name}: ${about}\n${holds}`);
};
