import * as E from 'fp-ts/lib/Either.js';
import { FairBeginnings } from '../concurrency/fair-beginnings.ts';
import type { ApiContext } from '../http/api-context.ts';
import { requestBody } from '../http/request-body.ts';
import { fieldsIn } from '../queries/parameters/form-text.ts';

/** How large a form may be. */
type FormBounds = { readonly mostBytes: number; readonly mostFields: number };

/** What somebody sends who has not signed in: a key, a token and the page that comes next, which may be of escapes alone. */
export const OF_ANYBODY: FormBounds = { mostBytes: 8_192, mostFields: 8 };

/** The largest form of somebody who has is a search. */
export const OF_SIGNED_IN: FormBounds = { mostBytes: 16_384, mostFields: 1_024 };

const FORM = 'application/x-www-form-urlencoded';

/** Reads the fields of a form. `who`: whose turn it is to be read. */
export type ReadForm = (
  ctx: Pick<ApiContext, 'req' | 'get' | 'set'>,
  who: string,
  bounds: FormBounds,
) => Promise<ReadonlyMap<string, string>>;

/**
 * Reads forms, one in each turn of the loop and by turns of those who send them: whoever lets hundreds come to their end in
 * one moment would have all of them read, and answered, before a delivery has its turn. A body that is no form, is too large, is
 * ill-formed or did not come whole has no fields, and neither says one that is there twice which of them is meant. What reads
 * files is not used for it: to load it takes a tenth of a second, during which deliveries would wait.
 */
export const formReader = (): ReadForm => {
  const beginnings = new FairBeginnings();
  return async (ctx, who, { mostBytes, mostFields }) => {
    const isForm = ctx.get('Content-Type').split(';', 1)[0]?.trim().toLowerCase() === FORM;
    const read = isForm ? await requestBody(ctx.req, mostBytes)() : null;
    await beginnings.turn(who);
    if (read === null || E.isLeft(read)) {
      // What is left of a body that is not read would be taken for the next request.
      ctx.set('Connection', 'close');
      return new Map();
    }
    const sent = fieldsIn(read.right.toString(), mostFields) ?? [];
    const times = Map.groupBy(sent, ([name]) => name);
    return new Map(sent.filter(([name]) => times.get(name)?.length === 1));
  };
};
