import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { HandOver } from '../../api/handed-question.ts';
import type { Secrets } from '../../config/index.ts';
import type { Instant } from '../../domain/instant.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { positionParameter, whenIncluded } from '../../queries/parameters/position-parameter.ts';
import type { ThreadedReadModels } from '../../threads/threaded-read-models.ts';
import { keysForThread } from '../webhook-keys.ts';

/** Lists wait for a position; streams are read at their head, and include all that there are. */
const WAITING: ReadonlySet<string> = new Set(['listOrders', 'listAuditEntries']);

type Parts = {
  readonly store: Pick<EventStore, 'head' | 'parsePosition'>;
  readonly readModels: Pick<ThreadedReadModels, 'handed' | 'includes'>;
  readonly secrets: () => Secrets;
  readonly now: () => Instant;
};

/**
 * Hands large answers to the query thread, which can't wait for the projecting one: a position that is asked for is waited
 * for here.
 */
export const handOver =
  ({ store, readModels, secrets, now }: Parts): HandOver =>
  async (routeId, question) => {
    const [, asked = null] = WAITING.has(routeId) ? (question.texts.find(([name]) => name === 'position') ?? []) : [];
    const waited = await pipe(
      positionParameter(store, asked),
      TE.chainW((position) => whenIncluded({ store, readModels }, position)),
    )();
    if (E.isLeft(waited)) return waited;
    return readModels.handed({ routeId, question, now: now(), secrets: keysForThread(secrets()) });
  };
