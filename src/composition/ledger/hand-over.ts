import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { HandOver } from '../../api/handed-question.ts';
import type { ConsoleDependencies } from '../../console/console-dependencies.ts';
import type { Secrets } from '../../config/index.ts';
import type { Instant } from '../../domain/instant.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { ProofLog } from '../../proofs/proof-log.ts';
import { readUrlEncoded } from '../../http/url-encoded.ts';
import { positionParameter, whenIncluded } from '../../queries/parameters/position-parameter.ts';
import type { QueryFailure } from '../../queries/failure/query-failure.ts';
import type { ThreadedReadModels } from '../../threads/threaded-read-models.ts';
import { keysForThread } from '../webhook-keys.ts';

/** Lists and reports wait for a position; streams are read at their head, and include all that there are. */
const WAITING: ReadonlySet<string> = new Set([
  'listOrders',
  'listAuditEntries',
  'getOnRampReport',
  'getOffRampReport',
  'getReportWorkbook',
  'listStatements',
  'listStatementLines',
  'listReconciliationItems',
  'listPeriods',
  'listPeriodAdjustments',
  'listQuarantine',
]);

/** Its answer holds proofs. */
const EVIDENCE = 'getOrderEvidence';
const EVIDENCE_PAGE = '/console/orders/{orderId}/evidence';
/** How long a checkpoint is waited for that includes the order (docs/spec/http.md, Position). */
const SIGNED_WITHIN_MS = 5_000;
/** An order may get an event each time that one looks, and the log one behind what read models were waited for. */
const MOST_TRIES = 3;

/** What is handed over of the log. */
type Log = ReturnType<ProofLog['handed']>;

/** Of an answer that proves nothing. */
const NONE: Log = E.left({ _tag: 'ProofsBehind', detail: null });

/** Answers by the log as it is signed, once that includes what the answer is made of; null where no other thread can now. */
const onceSigned = async <Failure extends { readonly _tag: string }, A>(
  { store, proofs }: Pick<Parts, 'store' | 'proofs'>,
  answered: (log: Log) => Promise<E.Either<Failure, A> | null>,
): Promise<E.Either<Failure | QueryFailure, A> | null> => {
  for (let tries = 1; ; tries += 1) {
    const made = await answered(proofs.handed());
    if (made === null || E.isRight(made) || made.left._tag !== 'ProofsBehind' || tries === MOST_TRIES) return made;
    // The order has events that are newer than the checkpoint.
    const head = await store.head()();
    if (E.isLeft(head)) return head;
    const signed = await proofs.including(head.right, SIGNED_WITHIN_MS)();
    if (E.isLeft(signed)) return signed;
  }
};

/**
 * Answers once read models are as far as the log is now, where the answer is as of a moment that they lacked: the thread
 * that makes it can't wait for them, and a moment needs all that was recorded by then.
 */
const onceLevel = async <Failure extends { readonly _tag: string }, A>(
  { store, readModels }: Pick<Parts, 'store' | 'readModels'>,
  isOfMoment: boolean,
  answered: () => Promise<E.Either<Failure, A> | null>,
): Promise<E.Either<Failure | QueryFailure, A> | null> => {
  for (let tries = 1; ; tries += 1) {
    const made = await answered();
    const isBehind = made !== null && E.isLeft(made) && made.left._tag === 'ReadModelsBehind';
    if (!isBehind || !isOfMoment || tries === MOST_TRIES) return made;
    const level = await pipe(
      store.head(),
      TE.chainW((head) => whenIncluded({ store, readModels }, head)),
    )();
    if (E.isLeft(level)) return level;
  }
};

type Parts = {
  readonly store: Pick<EventStore, 'head' | 'parsePosition'>;
  readonly readModels: Pick<ThreadedReadModels, 'handed' | 'handedPage' | 'includes'>;
  readonly proofs: Pick<ProofLog, 'handed' | 'including'>;
  readonly secrets: () => Secrets;
  readonly now: () => Instant;
  readonly matchDueDays: number;
};

/**
 * Hands large answers to the query thread, which can't wait for the projecting one: a position that is asked for is waited
 * for here.
 */
export const handOver =
  ({ store, readModels, proofs, secrets, now, matchDueDays }: Parts): HandOver =>
  async (routeId, question) => {
    const [, asked = null] = WAITING.has(routeId) ? (question.texts.find(([name]) => name === 'position') ?? []) : [];
    const waited = await pipe(
      positionParameter(store, asked),
      TE.chainW((position) => whenIncluded({ store, readModels }, position)),
    )();
    if (E.isLeft(waited)) return waited;
    const answered = (log: Log): ReturnType<HandOver> =>
      readModels.handed({ routeId, question, now: now(), matchDueDays, secrets: keysForThread(secrets()), log });
    if (routeId === EVIDENCE) return onceSigned({ store, proofs }, answered);
    const isOfMoment = question.texts.some(([name]) => name === 'asOf');
    return onceLevel({ store, readModels }, isOfMoment, () => answered(NONE));
  };

/** Has large pages of the console made in the query thread. */
export const handOverPage =
  ({
    store,
    readModels,
    proofs,
    secrets,
    matchDueDays,
  }: Omit<Parts, 'now'>): NonNullable<ConsoleDependencies['handOverPage']> =>
  (page) => {
    const made = (log: Log) => readModels.handedPage({ page, matchDueDays, secrets: keysForThread(secrets()), log });
    if (page.route === EVIDENCE_PAGE) return onceSigned({ store, proofs }, made);
    const isOfMoment = readUrlEncoded(page.querystring)?.has('asOf') ?? false;
    return onceLevel({ store, readModels }, isOfMoment, () => made(proofs.handed()));
  };
