import * as E from 'fp-ts/lib/Either.js';
import { auditMark, type AuditMark } from '../../projections/audit-trail/index.ts';
import { isOrderStream, type Position } from '../domain/ids.ts';
import type { StoreUnavailable } from '../event-store/event-store.ts';
import type { PartedLog } from '../event-store/parted-log.ts';
import { bankChange, isBankStream, type BankChange } from './bank-change.ts';
import type { MatchChange } from './match-change.ts';
import { matchChange } from './own-match-change.ts';
import { projectOrder, type ProjectedOrder } from './projected-order.ts';
import { isOfQuarantine, quarantineChange, type QuarantineChange } from './quarantine-change.ts';

/** What a part of the log's streams comes to, beside its orders. */
export type ProjectedPart = {
  readonly events: number;
  readonly quarantine: readonly QuarantineChange[];
  readonly match: readonly MatchChange[];
  readonly bank: readonly BankChange[];
  readonly unreadable: number;
};

type Store = Pick<PartedLog, 'readPart' | 'readHeaders'>;

/**
 * Projects the streams of one part, each from its whole history: no order's state is held before or after, and none is
 * written twice. Its orders are handed over one by one.
 */
export const projectPart = async (
  store: Store,
  part: number,
  upTo: Position,
  onOrder: (order: ProjectedOrder) => void,
): Promise<E.Either<StoreUnavailable, ProjectedPart>> => {
  const read = await store.readPart(part, upTo)();
  if (E.isLeft(read)) return read;
  const match: MatchChange[] = [];
  const quarantine: QuarantineChange[] = [];
  const bank: BankChange[] = [];
  let [events, unreadable] = [0, 0];
  for (const { stream, events: its } of read.right) {
    events += its.length;
    if (isOfQuarantine(stream)) {
      quarantine.push(...its.map(quarantineChange).filter((change) => change !== null));
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
      match.push(...its.flatMap(matchChange));
      continue;
    }
    const projected = projectOrder(its);
    unreadable += projected.unreadable.length;
    if (projected.order !== null) onOrder(projected.order);
  }
  return E.right({ events, quarantine, match, bank, unreadable });
};

/** Where the next stretch of the log begins; `next` is null at the end. */
export type Stretch = { readonly events: number; readonly next: Position | null };

/** Reads marks behind a position, about so many of them, and hands them over page by page. */
export const markStretch = async (
  store: Store,
  after: Position | null,
  upTo: Position,
  about: number,
  onMarks: (marks: readonly AuditMark[]) => void,
): Promise<E.Either<StoreUnavailable, Stretch>> => {
  let events = 0;
  let last = after;
  for await (const page of store.readHeaders(after, upTo)) {
    if (E.isLeft(page)) return page;
    onMarks(page.right.map(auditMark));
    events += page.right.length;
    last = page.right.at(-1)?.position ?? last;
    if (events >= about) break;
  }
  return E.right({ events, next: events < about || last === upTo ? null : last });
};
