import { epochMsOf, type Instant } from '../domain/instant.ts';
import { comparePositions } from '../domain/position.ts';
import type { Checkpoint, Included } from '../read-models/read-models.ts';
import type { ReadModelsSeen } from '../read-models/read-models-seen.ts';
import { judged, well, wrong, type DoctorCheck, type Finding } from './doctor-check.ts';
import type { ExaminedLog } from './examined-log.ts';
import { counted, spanText } from './figures-as-text.ts';

const NAME = 'read models';
const REPLAY = 'build them anew from the log: ramp-ledger replay';
/** After a restore or an upgrade, while no ledger serves. */
const BUILT_AT_START = 'the next start or command builds them from the log';
const NO_ROOM =
  'make room on the disk of READ_MODEL_URL: who reads needs some too, for the index of the write-ahead log (-shm)';
const OWN_FILE =
  'set READ_MODEL_URL to a file of its own for each ledger, or leave it out: each then has one in its DATA_DIR';

/** A ledger that serves is moments behind, and some seconds under the heaviest load. */
const SHORT_LAG_MS = 60_000;

type ReadLog = Extract<ExaminedLog, { readonly _tag: 'Read' }>;

export type ReadModelsContext = {
  readonly log: ExaminedLog;
  readonly timeZone: string;
  readonly serves: boolean;
  readonly now: Instant;
};

/** Whether the log has, at the checkpoint, the very event that the read models include last. */
const isOfLog = ({ eventId, at }: Included, { included }: ReadLog): boolean =>
  included?.id === eventId && included.recordedAt === at;

const lagOf = (
  checkpoint: Checkpoint | null,
  log: ReadLog,
  { serves, now }: ReadModelsContext,
): readonly [string, readonly Finding[]] => {
  const missing = log.newest.filter(({ position }) => comparePositions(position, checkpoint?.position ?? null) > 0);
  const oldest = missing.at(-1);
  if (oldest === undefined) return ['they include the whole log', []];
  const isMore = missing.length === log.newest.length && !log.isWhole;
  const age = Math.max(0, epochMsOf(now) - epochMsOf(oldest.recordedAt));
  const detail = `${isMore ? 'more than ' : ''}${counted(missing.length, 'event')} behind the log, for ${isMore ? 'more than ' : ''}${spanText(age)}`;
  if (serves && age > SHORT_LAG_MS) {
    return ['', [{ detail, cure: `see "read models fell behind" in the ledger's log; if it stays, ${REPLAY}` }]];
  }
  // A stopped ledger makes up for what it was stopped before in the first moments of its next start.
  if (!serves && isMore) return ['', [{ detail, cure: REPLAY }]];
  return [serves ? detail : `${detail}: the next start or command makes up for them`, []];
};

const none = ({ log, serves, now }: ReadModelsContext, building: boolean): DoctorCheck => {
  if (building) return well(NAME, 'they are being built');
  if (log._tag === 'Away') return well(NAME, 'there are none; the event store could not be read');
  const oldest = log._tag === 'Read' ? log.newest.at(-1) : undefined;
  if (oldest === undefined) return well(NAME, 'none yet, as there is no event');
  if (!serves) return well(NAME, `there are none: ${BUILT_AT_START}`);
  // A ledger that has just begun to serve takes deliveries before it builds.
  return epochMsOf(now) - epochMsOf(oldest.recordedAt) < SHORT_LAG_MS
    ? well(NAME, 'none yet; a ledger that has just started builds them')
    : wrong(NAME, 'there are none, and the ledger builds none', REPLAY);
};

/** How far the read models are, and whether today's program can use them (docs/spec/domain.md, Promises, 4). */
export const readModelsCheck = (seen: ReadModelsSeen, context: ReadModelsContext): DoctorCheck => {
  const { log, timeZone } = context;
  switch (seen._tag) {
    case 'None':
      return none(context, seen.building);
    case 'Misplaced':
      return wrong(NAME, `READ_MODEL_URL: ${seen.problem}`, `READ_MODEL_URL: ${seen.cure}`);
    case 'Foreign':
      return wrong(NAME, 'their file is a database of another program', 'set READ_MODEL_URL to another file');
    case 'OfAnotherLedger':
      return wrong(
        NAME,
        'the file that READ_MODEL_URL names is used by another ledger, which serves from it',
        OWN_FILE,
      );
    case 'Damaged':
      return wrong(
        NAME,
        `${seen.file} is damaged (${seen.found})`,
        seen.registry
          ? `remove the file that READ_MODEL_URL names: a ledger that serves builds them anew from the log within a minute; else ${REPLAY}`
          : REPLAY,
      );
    case 'Unusable':
      return wrong(
        NAME,
        `${seen.file} can't be read (${seen.found})`,
        seen.noRoom === true
          ? NO_ROOM
          : 'see that this user can read the file that READ_MODEL_URL names; what it held comes back with ramp-ledger replay',
      );
    case 'OfOtherVersion': {
      const detail = `generation ${seen.generation} was made by version ${seen.version} of the projections, this program has ${seen.wanted}`;
      return context.serves ? wrong(NAME, detail, REPLAY) : well(NAME, `${detail}: ${BUILT_AT_START}`);
    }
    case 'Serving':
  }
  const { generation, checkpoint } = seen;
  const serving = `generation ${generation} serves`;
  const zone: readonly Finding[] =
    seen.timeZone === timeZone
      ? []
      : [{ detail: `their business days are in ${seen.timeZone}, BUSINESS_TIME_ZONE says ${timeZone}`, cure: REPLAY }];
  if (log._tag !== 'Read') return judged(NAME, `${serving}; how far behind is not known without the event store`, zone);
  if (checkpoint !== null && !isOfLog(checkpoint, log)) {
    const detail = `they were built from another log: this one has another event, or none, at their position ${checkpoint.position}`;
    return judged(NAME, serving, [
      {
        detail,
        cure: `after a restore or a move, ${REPLAY}; where another ledger has the same READ_MODEL_URL, first ${OWN_FILE}`,
      },
      ...zone,
    ]);
  }
  const [lag, behind] = lagOf(checkpoint, log, context);
  return judged(NAME, lag === '' ? serving : `${serving}; ${lag}`, [...behind, ...zone]);
};
