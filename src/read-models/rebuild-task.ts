import * as E from 'fp-ts/lib/Either.js';
import { auditMark, type AuditMark } from '../../projections/audit-trail/index.ts';
import type { Calendar } from '../domain/business-day.ts';
import { isOrderStream, type Position } from '../domain/ids.ts';
import type { StoreUnavailable } from '../event-store/event-store.ts';
import type { PartedLog } from '../event-store/parted-log.ts';
import { bankChange, isBankStream, type BankChange } from './bank-change.ts';
import type { CellSums } from './cell-sums.ts';
import { orderRow, type OrderRow } from './order-row.ts';
import { itemOfOrderAlone } from '../../projections/match/match-item.ts';
import { dueOf, matchOrderOf } from '../../projections/match/match-order.ts';
import { USUAL_MATCH_SETTINGS } from '../domain/match-settings.ts';
import type { MatchItem } from '../../projections/match/match-item.ts';
import type { MatchChange } from './match-change.ts';
import { orderClaims } from './match-terms.ts';
import { matchChange } from './own-match-change.ts';
import { projectOrder } from './projected-order.ts';
import { isOfQuarantine, quarantineChange, type QuarantineChange } from './quarantine-change.ts';

/** An order of a part; `alone`: its item as long as nothing is found for it, null where nothing is due. */
export type PartRow = OrderRow & { readonly alone: MatchItem | null; readonly claims: readonly string[] };

/** What a part of the log's streams comes to. */
export type ProjectedPart = {
  readonly events: number;
  readonly rows: readonly PartRow[];
  readonly quarantine: readonly QuarantineChange[];
  readonly match: readonly MatchChange[];
  readonly bank: readonly BankChange[];
  readonly unreadable: number;
};

type Store = Pick<PartedLog, 'readPart' | 'readHeaders'>;

/**
 * Projects the streams of one part, each from its whole history: no order's state is held before or after, and none is
 * written twice. What the orders add to reports is gathered in `sums`.
 */
export const projectPart = async (
  store: Store,
  part: number,
  upTo: Position,
  calendar: Calendar,
  sums: CellSums,
): Promise<E.Either<StoreUnavailable, ProjectedPart>> => {
  const read = await store.readPart(part, upTo)();
  if (E.isLeft(read)) return read;
  const rows: PartRow[] = [];
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
    if (projected.order === null) continue;
    const row = orderRow(projected.order, calendar);
    sums.add(row.facetKey, row.cells);
    const order = matchOrderOf(projected.order.state, calendar);
    // What depends on the settings is not stored of an order alone.
    const alone = dueOf(order) === null ? null : itemOfOrderAlone(order, USUAL_MATCH_SETTINGS, calendar);
    rows.push({ ...row, alone, claims: orderClaims(order) });
  }
  return E.right({ events, rows, quarantine, match, bank, unreadable });
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
