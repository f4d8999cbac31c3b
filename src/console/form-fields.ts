import * as E from 'fp-ts/lib/Either.js';
import { requestBody } from '../http/request-body.ts';
import type { ApiContext } from '../http/api-context.ts';

/** The largest form is a search. */
const MOST_BYTES = 16_384;

const FORM = 'application/x-www-form-urlencoded';

/**
 * The fields of a form; a body that is no form, is too large or did not come whole has none, and neither says one that is
 * there twice which of them is meant. Read here, since what reads files takes a tenth of a second to load, during which
 * deliveries would wait.
 */
export const formFields = async (
  ctx: Pick<ApiContext, 'req' | 'get' | 'set'>,
): Promise<ReadonlyMap<string, string>> => {
  const isForm = ctx.get('Content-Type').split(';', 1)[0]?.trim().toLowerCase() === FORM;
  const read = isForm ? await requestBody(ctx.req, MOST_BYTES)() : null;
  if (read === null || E.isLeft(read)) {
    // What is left of a body that is not read would be taken for the next request.
    ctx.set('Connection', 'close');
    return new Map();
  }
  const sent = [...new URLSearchParams(read.right.toString())];
  const times = Map.groupBy(sent, ([name]) => name);
  return new Map(sent.filter(([name]) => times.get(name)?.length === 1));
};
