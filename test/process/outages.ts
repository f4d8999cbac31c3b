import type { EventStoreDbDouble } from '../support/eventstoredb/event-store-db-double.ts';
import type { Refusal } from '../support/eventstoredb/faults.ts';

/** One way in which a server is away, late, or not itself. */
export type Outage = {
  readonly name: string;
  /** How often it comes in a hundred. Those that make the ledger wait for three seconds are rare. */
  readonly weight: number;
  readonly begin: (double: EventStoreDbDouble) => void | Promise<void>;
  /** It lasts until so many calls met it; null: until a delivery was taken in spite of it. */
  readonly meets: number | null;
  readonly end?: (double: EventStoreDbDouble) => void | Promise<void>;
};

/** A port that nobody listens on: what a leader that has just died leaves behind. */
const DEAD_PORT = 1;

const refusals: readonly (readonly [name: string, refusal: Refusal])[] = [
  ['not ready', { _tag: 'NotReady' }],
  ['busy', { _tag: 'Busy' }],
  ['unavailable', { _tag: 'Unavailable' }],
  ['access denied', { _tag: 'AccessDenied' }],
];

const serve: Outage['end'] = ({ faults }) => faults.serve();
const speak: Outage['end'] = ({ faults }) => faults.speak();

const refused = ([name, refusal]: (typeof refusals)[number]): readonly Outage[] => [
  {
    name: `an append refused: ${name}`,
    weight: 3,
    begin: ({ faults }) => faults.refuseAppends(2, refusal),
    meets: 2,
  },
  {
    name: `an append refused though it was written: ${name}`,
    weight: 3,
    begin: ({ faults }) => faults.refuseAppends(2, refusal, { performed: true }),
    meets: 2,
  },
  {
    name: `everything refused: ${name}`,
    weight: 2,
    begin: ({ faults }) => faults.refuseAll(refusal),
    meets: 3,
    end: serve,
  },
];

/** Connections are refused until it starts again: every delivery that is taken meanwhile is spooled. */
export const GONE: Outage = {
  name: 'gone for a while',
  weight: 4,
  begin: (double) => double.stop(),
  meets: null,
  end: (double) => double.start(),
};

/** Every kind of outage that a single node can have, as often as its weight says. */
export const OUTAGES: readonly Outage[] = [
  ...refusals.flatMap(refused),
  {
    name: 'answers that never come',
    weight: 8,
    begin: ({ faults }) => faults.silenceAppends(2, { performed: true }),
    meets: 2,
  },
  {
    name: 'an append that is lost without a word',
    weight: 1,
    begin: ({ faults }) => faults.silenceAppends(1, { performed: false }),
    meets: 1,
  },
  { name: 'silence', weight: 1, begin: ({ faults }) => faults.silence(), meets: 1, end: speak },
  { name: 'silent reads', weight: 1, begin: ({ faults }) => faults.silence('read'), meets: 1, end: speak },
  {
    name: 'reads that fail',
    weight: 4,
    begin: ({ faults }) => faults.refuseAll({ _tag: 'Unavailable' }, 'read'),
    meets: 2,
    end: serve,
  },
  {
    name: 'late answers',
    weight: 8,
    begin: ({ faults }) => faults.holdAnswers(1),
    meets: 1,
    end: ({ faults }) => {
      faults.releaseAnswers();
    },
  },
  { name: 'answers that come twice', weight: 6, begin: ({ faults }) => faults.duplicateAnswers(3), meets: 3 },
  { name: 'appends in another order', weight: 2, begin: ({ faults }) => faults.reverseAppends(2), meets: 2 },
  {
    name: 'connections cut behind a write',
    weight: 10,
    begin: ({ faults }) => faults.dropAfterAppends(2),
    meets: 2,
  },
  {
    name: 'connections cut before a write',
    weight: 6,
    begin: ({ faults }) => faults.dropAfterAppends(2, { performed: false }),
    meets: 2,
  },
  { name: 'all connections cut', weight: 6, begin: ({ faults }) => faults.dropConnections(), meets: null },
  { name: 'subscriptions ended', weight: 6, begin: ({ faults }) => faults.endSubscriptions(), meets: null },
  {
    name: 'another node said to lead',
    weight: 4,
    begin: ({ faults, port }) => faults.notLeader({ port }),
    meets: 2,
    end: serve,
  },
  {
    name: 'a dead node said to lead',
    weight: 2,
    begin: ({ faults }) => faults.notLeader({ port: DEAD_PORT }),
    meets: 2,
    end: serve,
  },
  { name: 'frozen', weight: 6, begin: ({ faults }) => faults.freeze(), meets: 1, end: ({ faults }) => faults.thaw() },
  { name: 'restarted', weight: 4, begin: (double) => double.restart({ forgetIds: false }), meets: null },
  {
    name: 'restarted without its memory of ids',
    weight: 6,
    begin: (double) => double.restart({ forgetIds: true }),
    meets: null,
  },
  GONE,
];
