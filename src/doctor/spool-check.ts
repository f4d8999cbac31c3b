import * as E from 'fp-ts/lib/Either.js';
import { epochMsOf, type Instant } from '../domain/instant.ts';
import type { Trouble } from '../domain/trouble.ts';
import type { SetAsideEntry, SpoolContents } from '../event-store/spool.ts';
import { judged, well, wrong, type DoctorCheck, type Finding } from './doctor-check.ts';
import { bytesText, counted, spanText } from './figures-as-text.ts';
import type { Wavering } from './told-state.ts';

const NAME = 'spool';
const SET_ASIDE = 'set aside';

/** A store that is there takes what waits within moments. */
const SHORT_WAIT_MS = 60_000;
/** Below this share of its room the spool will be full soon. */
const LITTLE_ROOM = 0.1;
const MOST_NAMED = 20;

const USUAL_CURE =
  'keep a copy of spool.db and of the files beside it, then mend the disk; what was answered 202 is there';

/** What was found of the spool, and of what takes deliveries out of it. */
export type SpoolSeen = {
  /** Null: there is no spool. A Left: it can't be read. */
  readonly contents: E.Either<Trouble, SpoolContents | null>;
  readonly mostBytes: number;
  /** Whether a ledger serves, and so takes deliveries out of it. */
  readonly serves: boolean;
  readonly storeAway: boolean;
  /** How the store comes and goes for the ledger that serves; null where it does not. */
  readonly storeWavers: Wavering | null;
};

const waiting = ({ depth, oldestReceivedAt }: SpoolContents, seen: SpoolSeen, now: Instant): readonly Finding[] => {
  if (depth === 0) return [];
  const age = oldestReceivedAt === null ? 0 : Math.max(0, epochMsOf(now) - epochMsOf(oldestReceivedAt));
  const detail = `waiting for the event store, answered 202: ${counted(depth, 'delivery', 'deliveries')}, the oldest for ${spanText(age)}`;
  if (seen.storeAway) {
    return [{ detail, cure: 'bring the event store back: a ledger that serves appends them by itself; keep DATA_DIR' }];
  }
  if (seen.serves && seen.storeWavers !== null) {
    const cure =
      'see event store here: once it answers for a while the ledger has them appended by itself; keep DATA_DIR';
    return [{ detail, cure }];
  }
  if (!seen.serves) return [{ detail, cure: 'start the ledger, which appends them: ramp-ledger serve' }];
  return age > SHORT_WAIT_MS
    ? [
        {
          detail,
          cure: "the store is there, so look at the ledger's log for why they wait; a store that answers slowly, or comes and goes, keeps them waiting, and a restart changes nothing then: look at its load and its disk; else restart the ledger: ramp-ledger serve",
        },
      ]
    : [];
};

const room = ({ bytes }: SpoolContents, mostBytes: number): readonly Finding[] =>
  mostBytes - bytes >= mostBytes * LITTLE_ROOM
    ? []
    : [
        {
          detail: `it is nearly full: ${bytesText(Math.max(0, mostBytes - bytes))} are left`,
          cure: 'bring the event store back; or raise SPOOL_MAX_BYTES if the disk has room, and restart the ledger',
        },
      ];

/** What waits for the event store, and for how much more there is room (docs/spec/receiving.md, Replies). */
export const spoolCheck = (seen: SpoolSeen, now: Instant): DoctorCheck => {
  const { contents, mostBytes } = seen;
  if (E.isLeft(contents)) {
    const { detail, cure } = contents.left;
    return judged(NAME, '', [{ detail, cure: `${cure ?? USUAL_CURE}; then start the ledger: ramp-ledger serve` }]);
  }
  const spool = contents.right;
  if (spool === null) return well(NAME, 'nothing waits: there is no spool');
  const depth = spool.depth === 0 ? 'nothing waits' : counted(spool.depth, 'delivery waits', 'deliveries wait');
  const detail = `${depth}; ${bytesText(spool.bytes)} of ${bytesText(mostBytes)} taken`;
  return judged(NAME, detail, [...waiting(spool, seen, now), ...room(spool, mostBytes)]);
};

const named = ({ seq, key, problem }: SetAsideEntry): string => `${seq}: ${key}: ${problem.replaceAll(/\s+/g, ' ')}`;

/** Deliveries that the store refuses for good: each is named by its place in the spool, its stream and the reason. */
export const setAsideCheck = ({ contents }: Pick<SpoolSeen, 'contents'>): DoctorCheck => {
  if (E.isLeft(contents)) return well(SET_ASIDE, 'unknown: the spool could not be read');
  const entries = contents.right?.setAside ?? [];
  if (entries.length === 0) return well(SET_ASIDE, 'no delivery was refused for good');
  const more = entries.length > MOST_NAMED ? [`… and ${entries.length - MOST_NAMED} more`] : [];
  return wrong(
    SET_ASIDE,
    [
      `the event store refuses ${counted(entries.length, 'delivery', 'deliveries')} for good; by place in spool.db:`,
      ...entries.slice(0, MOST_NAMED).map(named),
      ...more,
    ].join('\n'),
    'mend the cause, and hand each in again with its own signature, as docs/operating.md, A delivery that was set aside, shows for spool.db in DATA_DIR',
  );
};
