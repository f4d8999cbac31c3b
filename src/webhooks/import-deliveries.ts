import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { Delivery } from '../domain/delivery.ts';
import type { RequestId } from '../domain/ids.ts';
import { epochMsOf, type Instant } from '../domain/instant.ts';
import type { ImportReport, RefusedLine } from '../ledger/import-report.ts';
import type { Recorded, RecordFailure } from '../ledger/recorded.ts';
import { spoolKey } from '../ledger/spool-key.ts';
import { linesOf } from './lines-of.ts';
import { readPastDelivery } from './past-delivery.ts';
import { verifyDelivery, type VerifySettings } from './verify-delivery.ts';
import type { WebhookSecret } from './verify-signature.ts';

export type ImportDeps = {
  readonly settings: VerifySettings;
  readonly secrets: readonly WebhookSecret[];
  readonly newRequestId: () => RequestId;
  readonly now: () => Instant;
  readonly record: (delivery: Delivery) => TE.TaskEither<RecordFailure, Recorded>;
  /** Told after each line. */
  readonly onLine: (line: number) => void;
};

/** The line at which an import ended, since it could not be recorded. */
export type ImportFailure = { readonly line: number; readonly failure: RecordFailure };

/** Deliveries that are recorded at a time: they share commits. */
const MOST_UNDER_WAY = 256;

/** A control character takes six bytes in JSON; and what stands beside the body. */
const longestLine = (maxBodyBytes: number): number => maxBodyBytes * 6 + 4_096;

const COUNTED = {
  recorded: 'recorded',
  duplicate: 'duplicates',
  conflict: 'conflicts',
  quarantined: 'quarantined',
} as const;

/** The clock of the machine that received it may be ahead of this one's. */
const TOLERATED_AHEAD_MS = 60_000;

const isBlank = (line: Buffer | null): boolean => line?.toString('latin1').trim() === '';

/** The delivery of a line, or the code that says why there is none. */
const deliveryOf = (
  { settings, secrets, newRequestId, now }: ImportDeps,
  line: Buffer | null,
): E.Either<string, Delivery> => {
  if (line === null) return E.left('body-too-large');
  const past = readPastDelivery(line);
  if (E.isLeft(past)) return past;
  const { body, signature, receivedAt } = past.right;
  // What is to come can't have been received: it would stand before all that comes until then.
  if (epochMsOf(receivedAt) > epochMsOf(now()) + TOLERATED_AHEAD_MS) return E.left('received-in-future');
  if (body.length > settings.maxBodyBytes) return E.left('body-too-large');
  return E.mapLeft(({ code }: { readonly code: string }) => code)(
    verifyDelivery(settings, secrets, {
      body,
      signature,
      requestId: newRequestId(),
      receivedAt: () => receivedAt,
    }),
  );
};

/**
 * Brings in past deliveries, one on each line: each is verified and decided as if it arrived, with the time at which it
 * was received. Those of one order are recorded in the order of lines. The first that can't be recorded ends it; what came
 * before is durable, and a repeat changes nothing of it.
 */
export const importDeliveries =
  (deps: ImportDeps) =>
  async (bytes: AsyncIterable<Uint8Array>): Promise<E.Either<ImportFailure, ImportReport>> => {
    const counts = { recorded: 0, duplicates: 0, conflicts: 0, quarantined: 0 };
    const refused: RefusedLine[] = [];
    let underWay = 0;
    let place: PromiseWithResolvers<void> | null = null;
    const lanes = new Map<string, Promise<void>>();
    let failed: ImportFailure | null = null;
    // Read through a function, since it changes while others are waited for.
    const failure = (): ImportFailure | null => failed;

    /** The line that is named is the first of all that are not recorded, whichever of them is heard of first. */
    const notRecorded = (line: number, why: RecordFailure): void => {
      if (failed === null || line < failed.line) failed = { line, failure: why };
    };

    const recordIn = async (before: Promise<void> | undefined, delivery: Delivery, line: number): Promise<void> => {
      await before;
      // What comes behind a delivery of its order that failed would take its place.
      const ended = failure();
      if (ended !== null) {
        notRecorded(line, ended.failure);
        return;
      }
      const recorded = await deps.record(delivery)();
      if (E.isRight(recorded)) counts[COUNTED[recorded.right.outcome]] += 1;
      else notRecorded(line, recorded.left);
    };

    let line = 0;
    for await (const text of linesOf(bytes, longestLine(deps.settings.maxBodyBytes))) {
      line += 1;
      deps.onLine(line);
      if (isBlank(text)) continue;
      const delivery = deliveryOf(deps, text);
      if (E.isLeft(delivery)) {
        refused.push({ line, code: delivery.left });
        continue;
      }
      if (underWay >= MOST_UNDER_WAY) {
        place = Promise.withResolvers();
        await place.promise;
      }
      if (failure() !== null) break;
      underWay += 1;
      const key = spoolKey(delivery.right);
      const lane = recordIn(lanes.get(key), delivery.right, line).finally(() => {
        if (lanes.get(key) === lane) lanes.delete(key);
        underWay -= 1;
        place?.resolve();
      });
      lanes.set(key, lane);
    }
    await Promise.all(lanes.values());
    const ended = failure();
    return ended === null ? E.right({ ...counts, refused }) : E.left(ended);
  };
