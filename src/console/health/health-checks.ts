import { epochMsOf, type Instant } from '../../domain/instant.ts';
import { durationText } from '../duration-text.ts';
import { sizeText } from '../size-text.ts';
import type { LedgerHealth, SpoolHealth } from './ledger-health.ts';

/** How a part of the ledger is. */
export type HealthCheck = {
  readonly name: string;
  readonly state: 'well' | 'watch' | 'wrong';
  readonly says: string;
  /** What a person does about it; null where nothing is to be done. */
  readonly cure: string | null;
};

type Judgement = Omit<HealthCheck, 'name'>;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const GIB = 1_024 ** 3;

/** As the alert rules have them (docs/operating.md, Alert rules). */
const SPOOL_OLD_MS = 10 * MINUTE;
const SPOOL_FULL = 0.8;
const LAG_SECONDS = 60;
const LEAST_FREE_BYTES = 2 * GIB;

const well = (says: string): Judgement => ({ state: 'well', says, cure: null });
const watch = (says: string, cure: string): Judgement => ({ state: 'watch', says, cure });
const wrong = (says: string, cure: string): Judgement => ({ state: 'wrong', says, cure });

const deliveries = ({ deliveries: working }: LedgerHealth): Judgement =>
  working.ready
    ? well('Accepted.')
    : wrong(
        `Refused with 503: ${working.detail}`,
        'Not recorded. The provider should send them again; compare with its list afterwards. Run "ramp-ledger doctor", and repair what it names.',
      );

const eventStore = ({ eventStore: { kind, working, isDamaged, head } }: LedgerHealth): Judgement => {
  const name = kind === 'sqlite' ? 'SQLite on this machine' : 'EventStoreDB';
  if (isDamaged)
    return wrong(
      `${name}: A page of its file is damaged${working.ready ? '' : `, and ${working.detail}`}. What needs it is not answered; deliveries of its orders are answered 503, and those of others are taken.`,
      'See to the disk. Stop the ledger, keep a copy of events.db and what lies beside it, restore the last backup with "ramp-ledger restore BACKUP --set-aside", start, and ask the provider to send what came since that backup again.',
    );
  if (working.ready)
    return well(`${name}, ${head === null ? 'empty or not asked' : `last event at position ${head}`}.`);
  return kind === 'sqlite'
    ? wrong(
        `${name}: ${working.detail}`,
        'If its disk is full, make room: it then recovers by itself. After any other failure check the disk, restart the ledger, and run "ramp-ledger verify".',
      )
    : wrong(
        `${name}: ${working.detail}`,
        'Bring it back. Deliveries are kept here meanwhile and appended by themselves; orders and lists that need the store are not there.',
      );
};

const waitsText = ({ isCounting, depth, oldestReceivedAt }: SpoolHealth, ageMs: number): string => {
  const oldest = oldestReceivedAt === null ? '' : `, the oldest for ${durationText(ageMs)}`;
  if (isCounting) return `What waited at the start is being counted, ${depth} so far${oldest}`;
  return depth === 0 ? 'Nothing is waiting' : `${depth} ${depth === 1 ? 'delivery waits' : 'deliveries wait'}${oldest}`;
};

const spool = ({ spool: state }: LedgerHealth, now: Instant): Judgement => {
  if (state === null) return well('Not used: webhooks go straight into the event store.');
  const { isCounting, depth, setAside, oldestReceivedAt, bytes, limitBytes } = state;
  const ageMs = oldestReceivedAt === null ? 0 : epochMsOf(now) - epochMsOf(oldestReceivedAt);
  const says = `${waitsText(state, ageMs)}; ${sizeText(bytes)} of ${sizeText(limitBytes)} taken.`;
  if (setAside > 0) {
    return wrong(
      `${isCounting ? 'At least ' : ''}${setAside} ${setAside === 1 ? 'delivery was' : 'deliveries were'} refused by the event store for good. ${says}`,
      '"ramp-ledger doctor" names each; docs/operating.md, A delivery that was set aside, says how to hand it in again.',
    );
  }
  if (bytes >= limitBytes * SPOOL_FULL) {
    return wrong(says, 'Bring the event store back, or raise SPOOL_MAX_BYTES if the disk has room, and restart.');
  }
  if (isCounting) {
    return watch(
      says,
      'Nothing to do: webhooks are accepted meanwhile, and recorded behind what waits. Keep DATA_DIR.',
    );
  }
  if (depth === 0) return well(says);
  return ageMs > SPOOL_OLD_MS
    ? wrong(says, 'Bring the event store back: what waits is safe, and is appended by itself. Keep DATA_DIR.')
    : watch(says, 'Nothing to do yet: it is recorded when the event store is back. Keep DATA_DIR.');
};

const readModels = ({ readModels: { generation, building, checkpoint, lagSeconds } }: LedgerHealth): Judgement => {
  const share = building === null ? null : `${Math.floor(building * 100)} % built`;
  if (generation === null) {
    return share === null
      ? wrong(
          'There are no lists and reports.',
          'Look for "read models" in the log; build them with "ramp-ledger replay".',
        )
      : watch(
          `Lists and reports are being built: ${share}.`,
          'Wait until they are built. Webhooks are accepted meanwhile.',
        );
  }
  const at = checkpoint === null ? 'no event yet' : `events up to position ${checkpoint.position}`;
  const serving = `Lists and reports include ${at} (generation ${generation})${share === null ? '' : `; new ones are being built: ${share}`}.`;
  if (lagSeconds === null) return watch(`${serving} How far behind is not known now.`, 'Bring the event store back.');
  if (lagSeconds < LAG_SECONDS) {
    return well(`${serving} ${lagSeconds < 1 ? 'Up to date.' : `Behind by ${durationText(lagSeconds * SECOND)}.`}`);
  }
  return wrong(
    `${serving} Behind by ${durationText(lagSeconds * SECOND)}: lists and reports lack what came since.`,
    'Wait while many deliveries come. Else look for "read models fell behind" in the log; if it stays, run "ramp-ledger replay".',
  );
};

const checkpoints = ({ signed }: LedgerHealth, now: Instant): Judgement => {
  if (signed._tag === 'Signed') {
    const age = durationText(epochMsOf(now) - epochMsOf(signed.at));
    return well(`The newest one is of ${signed.size} ${signed.size === 1 ? 'event' : 'events'}, signed ${age} ago.`);
  }
  if (signed._tag === 'NotYet') {
    return watch(
      signed.detail === null ? 'Nothing is signed yet.' : `Nothing is signed yet: ${signed.detail}.`,
      'Wait while the log is read. If it stays, look for "the tree of the log" in the ledger\'s log.',
    );
  }
  return wrong(
    `History was lost: ${signed.detail}. Nothing more is signed; deliveries are taken.`,
    'Run "ramp-ledger verify", and bring the missing events back from a newer backup. If they are gone for good: "ramp-ledger checkpoint --accept-loss NOTE".',
  );
};

const witnesses = ({ witnesses: asked }: LedgerHealth, now: Instant): Judgement => {
  const says = asked.map(({ name, state, size, at, detail }) => {
    if (state === 'waiting' || at === null) return `${name} was not asked yet.`;
    const age = durationText(Math.max(0, epochMsOf(now) - epochMsOf(at)));
    return state === 'cosigned'
      ? `${name} has cosigned ${size ?? 0} ${size === 1 ? 'event' : 'events'}, ${age} ago.`
      : `${name} ${state === 'refused' ? 'REFUSES' : 'did not cosign'}: ${detail ?? 'it is not known why'}.`;
  });
  if (asked.some(({ state }) => state === 'refused')) {
    return wrong(
      says.join(' '),
      'A witness saw another log than this one. Run "ramp-ledger verify", and find out who changed which: what the witness keeps can be compared.',
    );
  }
  return asked.some(({ state }) => state === 'failed')
    ? watch(
        says.join(' '),
        'It is asked again by itself. If it stays, see that its address can be reached, and that it knows this log.',
      )
    : well(says.join(' '));
};

const disk = ({ dataDiskFreeBytes }: LedgerHealth): Judgement => {
  if (dataDiskFreeBytes === null) return watch('How much is free is not known now.', 'See that DATA_DIR can be read.');
  const says = `${sizeText(dataDiskFreeBytes)} free for the data directory.`;
  return dataDiskFreeBytes < LEAST_FREE_BYTES
    ? wrong(says, 'Make room: where the disk is full, deliveries are refused with 503.')
    : well(says);
};

const WHAT_IS_MISSING: Readonly<Record<string, string>> = {
  projections: 'lists and reports lack what came since',
  build: 'lists and reports are not built',
  queries: 'lists and reports are not answered',
  moments: 'what is asked as of moments of the past is not answered',
  orders: 'single orders are not answered',
  streams: 'exports and live events are not answered',
  spool: 'what the event store does not take is refused with 503',
};

const DOWN_CURE =
  'It is started again by itself, with pauses up to half a minute. If it stays down, mend what it names: it works within half a minute then, without a restart.';
const SILENT_CURE =
  'A long question about the past ends by itself. If it stays, look at the disk of the read models, or of the spool; where that is well, restart the ledger.';

const threads = ({ threadsDown }: LedgerHealth, now: Instant): Judgement => {
  if (threadsDown.length === 0) return well('All are running.');
  const says = threadsDown.map(({ name, since, problem }) => {
    const missing = WHAT_IS_MISSING[name] ?? 'a part of the ledger does not work';
    const time = durationText(epochMsOf(now) - epochMsOf(since));
    return problem === null
      ? `"${name}" has answered nothing for ${time}, so ${missing}.`
      : `"${name}" is down for ${time}, so ${missing}: ${problem}.`;
  });
  const cures = [
    ...(threadsDown.some(({ problem }) => problem !== null) ? [DOWN_CURE] : []),
    ...(threadsDown.some(({ problem }) => problem === null) ? [SILENT_CURE] : []),
  ];
  return wrong(says.join(' '), cures.join(' '));
};

/** Whether something waits in quarantine for somebody to deal with it; null: not known now. */
export const quarantineCheck = (open: number | null): HealthCheck => {
  const name = 'Quarantine';
  if (open === null) return { name, ...watch('How much waits is not known now.', 'Load the page again in a moment.') };
  if (open === 0) return { name, ...well('Nothing waits: every signed webhook could be read, or was dealt with.') };
  return {
    name,
    ...watch(
      `${open === 1 ? 'One signed webhook' : `${open} signed webhooks`} could not be read, and ${open === 1 ? 'waits' : 'wait'}. No figure includes ${open === 1 ? 'it' : 'them'}.`,
      'See why under Quarantine: tell the provider, have it read again, or close it with a note.',
    ),
  };
};

/** How each part of the ledger is, and what to do where one is not well. */
export const healthChecks = (health: LedgerHealth, now: Instant): readonly HealthCheck[] => [
  { name: 'Deliveries', ...deliveries(health) },
  { name: 'Event store', ...eventStore(health) },
  { name: 'Spool', ...spool(health, now) },
  { name: 'Read models', ...readModels(health) },
  { name: 'Checkpoints', ...checkpoints(health, now) },
  ...(health.witnesses.length === 0 ? [] : [{ name: 'Witnesses', ...witnesses(health, now) }]),
  { name: 'Threads', ...threads(health, now) },
  { name: 'Disk', ...disk(health) },
];
