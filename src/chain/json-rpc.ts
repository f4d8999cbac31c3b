import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { backOff, type BackOff } from '../concurrency/back-off.ts';
import { retried } from '../concurrency/retried.ts';
import type { Pause } from '../concurrency/wait.ts';

/** What a node answered over HTTP; `retryAfterMs`: how long it asks to wait. */
type NodeAnswer = { readonly status: number; readonly retryAfterMs: number | null; readonly body: Buffer };

/** Why nothing was answered that can be read, without the address; `passing`: it may be otherwise the next time. */
export type NodeFailure = { readonly detail: string; readonly passing: boolean };

/** Sends one body, within a time and up to a size, and follows no redirect. */
export type NodePost = (url: string, body: string) => Promise<E.Either<NodeFailure, NodeAnswer>>;

/** What calls of a node stand on. */
export type NodeMeans = { readonly post: NodePost; readonly pause: Pause; readonly random: () => number };

/** One method of JSON-RPC with its parameters. */
export type Call = { readonly method: string; readonly params: readonly unknown[] };

const MOST_TRIES = 4;
const PAUSES: BackOff = { firstMs: 200, longestMs: 2_000 };
/** A node that asks for more time than this has failed. */
const LONGEST_ASKED_MS = 10_000;
/** Ids are drawn below this: whole numbers that every node reads, and gives back as they are. */
const IDS = 2 ** 32;
/** The code that nodes give to "too many requests" (EIP-1474). */
const LIMIT_EXCEEDED = -32_005;

const Result = t.type({ id: t.unknown, result: t.unknown });
/** An error without a number: what stands beside it is no result. */
const Unclear = t.type({ error: t.unknown });
const Refused = t.type({ error: t.type({ code: t.number }) });

type Outcome = E.Either<NodeFailure & { readonly retryAfterMs: number | null }, unknown>;

const failed = (detail: string, passing: boolean, retryAfterMs: number | null = null): Outcome =>
  E.left({ detail, passing, retryAfterMs });

/** A result counts only under the id of its call: a node or a proxy before it may mix up what is asked at once. */
const read = (id: number, { status, retryAfterMs, body }: NodeAnswer): Outcome => {
  if (status === 429 || status >= 500) return failed(`it answers ${status}`, true, retryAfterMs);
  if (status !== 200) return failed(`it answers ${status}`, false);
  try {
    const answer: unknown = JSON.parse(body.toString());
    if (Refused.is(answer))
      return failed(`it refuses the call (${answer.error.code})`, answer.error.code === LIMIT_EXCEEDED);
    if (Unclear.is(answer) && (answer.error ?? null) !== null) return failed('it refuses the call', false);
    if (!Result.is(answer)) return failed('it answers no JSON-RPC', false);
    return answer.id === id ? E.right(answer.result) : failed('it answers another call', false);
  } catch {
    return failed('it answers no JSON', false);
  }
};

/** Calls a node; what passes by itself (429, 5xx, no connection) is tried again after a pause. Left is why, without the address. */
export const callNode = async (
  { post, pause, random }: NodeMeans,
  url: string,
  { method, params }: Call,
): Promise<E.Either<string, unknown>> => {
  const id = Math.floor(random() * IDS);
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
  const outcome = await retried(
    async (): Promise<Outcome> => {
      const answered = await post(url, body);
      if (E.isRight(answered)) return read(id, answered.right);
      return failed(answered.left.detail, answered.left.passing);
    },
    (tried, failures) => {
      if (E.isRight(tried) || !tried.left.passing || failures >= MOST_TRIES) return null;
      const asked = tried.left.retryAfterMs ?? 0;
      return asked > LONGEST_ASKED_MS ? null : asked + backOff(PAUSES, failures, random);
    },
    pause,
  );
  return E.mapLeft(({ detail }: { readonly detail: string }) => detail)(outcome);
};
