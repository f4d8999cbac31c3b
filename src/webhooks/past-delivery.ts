import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { parseInstant, type Instant } from '../domain/instant.ts';
import { parseBody } from '../domain/parse-json.ts';

/** A delivery that was received before, by whatever kept it. */
export type PastDelivery = {
  readonly body: Buffer;
  /** Undefined where the line has none. */
  readonly signature: string | undefined;
  readonly receivedAt: Instant;
};

const Line = t.intersection([
  t.type({ receivedAt: t.string }),
  t.partial({ body: t.string, bodyBase64: t.string, signature: t.string }),
]);

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The body of a line: as text, or in Base64 where its bytes are no text; exactly one of them. */
const bodyOf = ({ body, bodyBase64 }: t.TypeOf<typeof Line>): Buffer | null => {
  // Half of a pair of surrogates has no bytes: what was signed was another text.
  if (body !== undefined) return bodyBase64 === undefined && body.isWellFormed() ? Buffer.from(body) : null;
  return bodyBase64 !== undefined && BASE64.test(bodyBase64) ? Buffer.from(bodyBase64, 'base64') : null;
};

/**
 * Reads a line of NDJSON, `{body or bodyBase64, signature, receivedAt}`, as strictly as a body: of two bodies in one line
 * nobody could tell which is to be taken. The mark that some programs begin a file with is passed over.
 */
export const readPastDelivery = (bytes: Buffer): E.Either<'line-unreadable', PastDelivery> => {
  const json = parseBody(bytes);
  if (E.isLeft(json)) return E.left('line-unreadable');
  const line = Line.decode(json.right.value);
  if (E.isLeft(line)) return E.left('line-unreadable');
  const [body, receivedAt] = [bodyOf(line.right), parseInstant(line.right.receivedAt)];
  return body === null || receivedAt === null
    ? E.left('line-unreadable')
    : E.right({ body, signature: line.right.signature, receivedAt });
};
