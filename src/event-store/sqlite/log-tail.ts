import { setImmediate as nextTurn } from 'node:timers/promises';
import { either as E } from 'fp-ts';
import type { Position } from '../../domain/ids.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import type { StoreUnavailable } from '../event-store.ts';
import type { Reader } from './reader.ts';

const PAGE = 512;

type Events = AsyncGenerator<E.Either<StoreUnavailable, RecordedEvent>, void, undefined>;

const after = (position: Position | null): number => (position === null ? 0 : Number(position));

/** Everything behind a position up to a head, page by page; other work gets its turn between pages. */
async function* readUpTo(reader: Reader, start: number, head: number): Events {
  let at = start;
  while (at < head) {
    const page = reader.page(at, head, PAGE);
    if (E.isLeft(page)) {
      yield page;
      return;
    }
    for (const event of page.right) yield E.right(event);
    const last = page.right.at(-1);
    if (last === undefined) return;
    at = Number(last.position);
    await nextTurn();
  }
}

/** Everything behind a position up to the head of now. */
export async function* readAll(reader: Reader, position: Position | null): Events {
  const head = reader.head();
  if (E.isLeft(head)) yield head;
  else yield* readUpTo(reader, after(position), head.right);
}

/**
 * Everything behind a position, then what is committed from then on, until the signal is aborted. Nothing is read before
 * the consumer asks for it, so a slow one holds a page and no more.
 *
 * @param changed resolves at the next commit, or when the signal is aborted
 */
export async function* subscribe(
  reader: Reader,
  position: Position | null,
  signal: AbortSignal,
  changed: () => Promise<void>,
): Events {
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
    for await (const event of readUpTo(reader, at, head.right)) {
      if (isAborted()) return;
      yield event;
      if (E.isLeft(event)) return;
      at = Number(event.right.position);
    }
  }
}
