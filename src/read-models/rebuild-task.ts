import { addAll } from '../domain/add-all.ts';
import * as E from 'fp-ts/lib/Either.js';
import { isOrderStream, type Position } from '../domain/ids.ts';
import type { StoreUnavailable } from '../event-store/event-store.ts';
import type { PartedLog } from '../event-store/parted-log.ts';
import { bankChange, isBankStream, type BankChange } from './bank-change.ts';
import type { MatchChange } from './match-change.ts';
import { matchChange } from './own-match-change.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { ProjectedOrder } from './projected-order.ts';
import { isOfQuarantine, quarantineChange, type QuarantineChange } from './quarantine-change.ts';
import { StreamFold } from './stream-fold.ts';

/** What a part of the log's streams comes to, beside its orders. */
export type ProjectedPart = {
  readonly events: number;
  readonly quarantine: readonly QuarantineChange[];
  readonly match: readonly MatchChange[];
  readonly bank: readonly BankChange[];
  readonly unreadable: number;
};

/**
 * Projects the streams of one part, each from its whole history: no order's state is held before or after, and none is
 * written twice. Its orders are handed over one by one, each with the fold that it is of, and every event of all
 * its streams.
 */
export const projectPart = async (
  store: Pick<PartedLog, 'readPart'>,
  part: number,
  upTo: Position,
  take: {
    readonly order: (order: ProjectedOrder, fold: StreamFold) => void;
    readonly event: (event: RecordedEvent) => void;
  },
): Promise<E.Either<StoreUnavailable, ProjectedPart>> => {
  const read = await store.readPart(part, upTo)();
  if (E.isLeft(read)) return read;
  const match: MatchChange[] = [];
  const quarantine: QuarantineChange[] = [];
  const bank: BankChange[] = [];
  let [events, unreadable] = [0, 0];
  for (const { stream, events: its } of read.right) {
    events += its.length;
    its.forEach(take.event);
    if (isOfQuarantine(stream)) {
      addAll(
        quarantine,
        its.map(quarantineChange).filter((change) => change !== null),
      );
      continue;
    }
    if (isBankStream(stream)) {
      for (const event of its) {
        const change = bankChange(event);
        if (change !== null) bank.push(change);
      }
      continue;
    }
    if (!isOrderStream(stream)) {
      addAll(match, its.flatMap(matchChange));
      continue;
    }
    const fold = new StreamFold(its);
    const projected = fold.first(its.length);
    unreadable += projected.unreadable.length;
    if (projected.order !== null) take.order(projected.order, fold);
  }
  return E.right({ events, quarantine, match, bank, unreadable });
};
