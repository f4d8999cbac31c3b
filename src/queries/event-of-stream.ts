import * as E from 'fp-ts/lib/Either.js';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { StoreUnavailable, StreamPages } from '../event-store/event-store.ts';

/** That a stream is not there, or has no event of a revision. */
export type NoneOfStream = { readonly _tag: 'NoStream' } | { readonly _tag: 'NoRevision' };

/**
 * The event of a stream by its revision, not by its place: the beginning of a stream may be gone. No more is kept than that one,
 * as each may be of a megabyte.
 */
export const eventOfStream = async (
  pages: StreamPages,
  revision: number,
): Promise<E.Either<StoreUnavailable | NoneOfStream, RecordedEvent>> => {
  let isThere = false;
  for await (const page of pages) {
    if (E.isLeft(page)) return page;
    const event = page.right.find((candidate) => candidate.revision === revision);
    if (event !== undefined) return E.right(event);
    isThere ||= page.right.length > 0;
  }
  return E.left({ _tag: isThere ? 'NoRevision' : 'NoStream' });
};
