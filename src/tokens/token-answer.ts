import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { guardedText } from '../domain/guarded.ts';
import { parseBody } from '../domain/parse-json.ts';

/** Three parts of base64url, and nothing that could break out of a header. */
const isCompact = (text: string): text is string => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text);

const Token = t.type({ accessToken: guardedText('a JSON Web Token', isCompact) });

const Wrapped = t.type({ data: Token });

/**
 * The token in the answer to a login or refresh, at the top or inside `data` (docs/spec/command-line.md, Calls to the
 * provider); null where there is none.
 */
export const tokenIn = (body: Buffer): string | null => {
  const parsed = parseBody(body);
  if (E.isLeft(parsed)) return null;
  const { value } = parsed.right;
  const atTop = Token.decode(value);
  if (E.isRight(atTop)) return atTop.right.accessToken;
  const wrapped = Wrapped.decode(value);
  return E.isRight(wrapped) ? wrapped.right.data.accessToken : null;
};
