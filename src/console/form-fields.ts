import { isUtf8 } from 'node:buffer';
import * as E from 'fp-ts/lib/Either.js';
import type { ApiContext } from '../http/api-context.ts';
import { requestBody } from '../http/request-body.ts';
import { readUrlEncoded } from '../http/url-encoded.ts';

/** The largest form is a search. */
const MOST_BYTES = 16_384;

const FORM = 'application/x-www-form-urlencoded';

export type FormFields = ReadonlyMap<string, string>;

/** Why a form has no fields: it is larger than it may be, or it is none, not well-formed, or did not come whole. */
export type FormUnread = 'too-large' | 'ill-formed';

/** How a form is read: of how many bytes at the most, and what is waited for once they have come, or it is known that they don't. */
export type FormReading = { readonly mostBytes: number; readonly turn: () => Promise<void> };

const AT_ONCE: FormReading = { mostBytes: MOST_BYTES, turn: () => Promise.resolve() };

/** What is left of a body that is not read would be taken for the next request. */
export const leaveFormUnread = (ctx: Pick<ApiContext, 'set'>): void => ctx.set('Connection', 'close');

const fieldsIn = (body: Buffer): E.Either<FormUnread, FormFields> => {
  const read = isUtf8(body) ? readUrlEncoded(body.toString()) : null;
  if (read === null) return E.left('ill-formed');
  const sent = [...read];
  const times = Map.groupBy(sent, ([name]) => name);
  return E.right(new Map(sent.filter(([name]) => times.get(name)?.length === 1)));
};

/**
 * The fields of a form. Of one that is there twice it is not said which of them is meant: it is none. Read here, since what reads
 * files takes a tenth of a second to load, during which deliveries would wait.
 */
export const formFields = async (
  ctx: Pick<ApiContext, 'req' | 'get' | 'set'>,
  { mostBytes, turn }: FormReading = AT_ONCE,
): Promise<E.Either<FormUnread, FormFields>> => {
  const isForm = ctx.get('Content-Type').split(';', 1)[0]?.trim().toLowerCase() === FORM;
  const read = isForm ? await requestBody(ctx.req, mostBytes)() : null;
  await turn();
  if (read === null || E.isLeft(read)) {
    leaveFormUnread(ctx);
    return E.left(read?.left.code === 'body-too-large' ? 'too-large' : 'ill-formed');
  }
  return fieldsIn(read.right);
};
