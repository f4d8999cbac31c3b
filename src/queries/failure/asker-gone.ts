import * as E from 'fp-ts/lib/Either.js';

/** Nobody waits for the answer any more. */
export type AskerGone = { readonly _tag: 'AskerGone' };

/** What nobody hears, since whoever asked hung up before it was begun. */
export const ASKER_GONE: E.Either<AskerGone, never> = E.left({ _tag: 'AskerGone' });
