import { setImmediate as nextTurn } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import type { Position } from '../../domain/ids.ts';
import { positionNumber } from '../../domain/position.ts';
import type { EventHeader, RecordedEvent } from '../../domain/recorded-event.ts';
import type { StoreUnavailable } from '../event-store.ts';
import type { Reader } from './reader.ts';

/** Events that are read at a time, where nobody says how many. */
const PAGE = 512;

type Events = AsyncGenerator<E.Either<StoreUnavailable, RecordedEvent>, void, undefined>;
type Pages<A> = AsyncGenerator<E.Either<StoreUnavailable, readonly A[]>, void, undefined>;

const after = (position: Position | null): number => (position === null ? 0 : positionNumber(position));

/** What a page is read with, behind a position and up to a head. */
type ReadPage<A> = (after: number, head: number, most: number) => E.Either<StoreUnavailable, readonly A[]>;

/** Everything behind a position up to a head, page by page; other work gets its turn between pages. */
async function* pagesUpTo<A extends { readonly position: Position }>(
  read: ReadPage<A>,
  start: number,
  head: number,
  most = PAGE,
): Pages<A> {
  let at = start;
  while (at < head) {
    const page = read(at, head, most);
    if (E.isRight(page) && page.right.length === 0) return;
    yield page;
    if (E.isLeft(page)) return;
    at = after(page.right.at(-1)?.position ?? null);
    await nextTurn();
  }
}

/** Everything behind a position up to the head of now. */
export async function* readAll(reader: Reader, position: Position | null): Events {
  const head = reader.head();
  if (E.isLeft(head)) {
    yield head;
    return;
  }
  for await (const page of pagesUpTo(reader.page, after(position), head.right)) {
    if (E.isLeft(page)) yield page;
    else for (const event of page.right) yield E.right(event);
  }
}

/** The headers of everything behind a position up to another. */
export const readHeaders = (reader: Reader, position: Position | null, upTo: Position): Pages<EventHeader> =>
  pagesUpTo(reader.headers, after(position), after(upTo));

/**
 * Everything behind a position, then what is committed from then on, until the signal is aborted. Nothing is read before
 * the consumer asks for it, so a slow one holds a page and no more.
 *
 * @param changed resolves at the next commit, or when the signal is aborted
 * @param most events of a page at the most
 */
export async function* subscribe(
  reader: Reader,
  position: Position | null,
  signal: AbortSignal,
  changed: () => Promise<void>,
  most?: number,
): Pages<RecordedEvent> {
  let at = after(position);
  const isAborted = (): boolean => signal.aborted;
  while (!isAborted()) {
    // Asked for before the head is read, so that a commit in between is not missed.
    const change = changed();
    const head = reader.head();
    if (E.isLeft(head)) {
      yield head;
      return;
    }
    if (head.right <= at) await change;
    for await (const page of pagesUpTo(reader.page, at, head.right, most)) {
      if (isAborted()) return;
      yield page;
      if (E.isLeft(page)) return;
      at = after(page.right.at(-1)?.position ?? null);
    }
  }
}
