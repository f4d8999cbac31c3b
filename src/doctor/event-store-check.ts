import type { EventStoreLocation } from '../config/config.ts';
import type { ReadModelsSeen } from '../read-models/read-models-seen.ts';
import type { Trouble } from '../domain/trouble.ts';
import { judged, well, wrong, type DoctorCheck, type Finding } from './doctor-check.ts';
import type { ExaminedLog, LogAway } from './examined-log.ts';
import { counted, spanText } from './figures-as-text.ts';
import { storeName } from './store-name.ts';
import type { Wavering } from './told-state.ts';

const NAME = 'event store';

const cureOf = ({ reason, cure }: LogAway): string => {
  switch (reason) {
    case 'FolderMissing':
      return 'make the folder, or bring it back; or set EVENT_STORE_URL to where the events are';
    case 'FileUnreadable':
      return `${cure ?? 'see that this user may read it'} (EVENT_STORE_URL names the file; docs/operating.md, Backup)`;
    case 'AccessDenied':
      return 'give EVENT_STORE_URL a user who may read $all and write streams: deploy/set-up-store.sh applies such ACLs (docs/operating.md, Access)';
    case 'ServerAway':
  }
  return 'see that EVENT_STORE_URL names the nodes and that one of them leads (its /info says so); a ledger that serves spools meanwhile';
};

/** Another ledger's file can be read all the same; the one that is configured so is refused its start. */
const usedBy = (inUse: Trouble | null): readonly Finding[] =>
  inUse === null ? [] : [{ detail: inUse.detail, cure: inUse.cure ?? 'stop the ledger that has it' }];

/** What a ledger met of the store, which a look at it now may not show. */
type StoreMet = { readonly inUse: Trouble | null; readonly wavers: Wavering | null };

const wavering = (wavers: Wavering | null): readonly Finding[] =>
  wavers === null
    ? []
    : [
        {
          detail: `it comes and goes, or answers slowly: away ${counted(wavers.breaks, 'time')} in ${spanText(wavers.seconds * 1_000)} for the ledger that serves, the last time with: ${wavers.problem}`,
          cure: "look at the store's load, its disk and its log, and at the network up to it; the ledger keeps deliveries meanwhile and appends them by itself: a restart of the ledger changes nothing",
        },
      ];

/**
 * Whether the log can be read, is there where read models say that it was, and no other ledger has it.
 *
 * @param met what others met of it: `inUse` which ledger has it, and what to do about it, null where none is known to; `wavers`
 * how it comes and goes for the ledger that serves, null where it does not
 */
export const eventStoreCheck = (
  location: EventStoreLocation,
  log: ExaminedLog,
  readModels: ReadModelsSeen,
  { inUse, wavers }: StoreMet = { inUse: null, wavers: null },
): DoctorCheck => {
  const name = storeName(location);
  if (log._tag === 'Away') return judged(NAME, name, [{ detail: log.detail, cure: cureOf(log) }, ...wavering(wavers)]);
  const isMissed = readModels._tag === 'Serving' && readModels.checkpoint !== null;
  if (log._tag === 'NotThere') {
    return isMissed
      ? wrong(
          NAME,
          `${name} is not there, though read models of its events are`,
          'bring the file back, from a backup if need be, or set EVENT_STORE_URL to where it is',
        )
      : well(NAME, `${name} is not there yet, or empty; the first start makes it`);
  }
  const { newest, isWhole, about } = log;
  const [last] = newest;
  const holds =
    last === undefined
      ? 'no event yet'
      : `${isWhole ? counted(newest.length, 'event') : `more than ${counted(newest.length, 'event')}`}, the last of ${last.recordedAt}, position ${last.position}`;
  return judged(NAME, `${name}: ${about}\n${holds}`, [...usedBy(inUse), ...wavering(wavers)]);
};
