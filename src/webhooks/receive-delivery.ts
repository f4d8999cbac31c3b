import type { IncomingMessage } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { oneATurn } from '../concurrency/one-a-turn.ts';
import type { Delivery, VerifiedDelivery } from '../domain/delivery.ts';
import type { Instant } from '../domain/instant.ts';
import { HeldByPeers } from '../http/connections/held-by-peers.ts';
import type { LogFields } from '../http/log-fields.ts';
import type { RecordFailure, Recorded } from '../ledger/recorded.ts';
import type { Spooled } from '../ledger/spooled.ts';
import { declaredOrder } from './declared-order.ts';
import { isRewritten } from './is-rewritten.ts';
import { judgeInTurn } from './judge-in-turn.ts';
import { readBody } from './read-body.ts';
import { notDurable, overloaded, unsupportedMediaType, type Rejection } from './rejection.ts';
import { readVerified, verifyBytes, type VerifySettings } from './verify-delivery.ts';
import type { WebhookSecret } from './verify-signature.ts';

export type ReceiveSettings = VerifySettings & {
  /** Milliseconds after which a body that is not all there is given up (docs/spec/receiving.md, Replies). */
  readonly bodyWithinMs: number;
  /** Deliveries under way at most, from the proof of their signature on; beyond them 503. */
  readonly mostUnderWay: number;
  /** What is held at most of bodies that are not all there, in bodies of the largest size; beyond it one is given up. */
  readonly mostUnread: number;
};

export type ReceiveDeps = {
  readonly settings: ReceiveSettings;
  /** The active secrets of this moment. */
  readonly secrets: () => readonly WebhookSecret[];
  readonly now: () => Instant;
  /** Told of each delivery whose signature is right. */
  readonly onVerified: (verified: VerifiedDelivery) => void;
  /** What became of the very same bytes before; null where that is not known without reading them. */
  readonly recall: (verified: VerifiedDelivery) => Recorded | null;
  readonly record: (delivery: Delivery) => TE.TaskEither<RecordFailure, Recorded | Spooled>;
  /**
   * Called for each delivery that could not be recorded. The failure holds more than the provider is told; `request`
   * names the request in the log.
   */
  readonly onFailure: (failure: RecordFailure, request: LogFields) => void;
  readonly arrivals: ArrivalsSink;
  /** The address that a request comes from. */
  readonly peerOf: (request: IncomingMessage) => string;
};

/** Where it is counted what arrives. */
type ArrivalsSink = {
  readonly count: (outcome: string) => void;
  readonly refuse: (
    code: string,
    detail: () => { readonly peer: string; readonly orderId: string | null; readonly rewritten: boolean },
  ) => void;
};

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;

const checkMediaType = ({ headers }: IncomingMessage): Rejection | null => {
  const { 'content-type': type, 'content-encoding': encoding } = headers;
  if (type === undefined || !JSON_TYPE.test(type)) {
    return unsupportedMediaType('A delivery is application/json.');
  }
  return encoding === undefined || encoding.toLowerCase() === 'identity'
    ? null
    : unsupportedMediaType('A delivery is sent as it was signed, without a content encoding.');
};

/** What became of a delivery that was proved: a Right is durable (docs/spec/domain.md, Promises, 1). */
type Became = E.Either<Rejection, Recorded | Spooled>;

/**
 * What became of a delivery. A Left was refused before its signature was found right, and so says nothing of who sent it;
 * a Right was proved, whatever became of it then. Which of the two it was, no code of a rejection tells: a body that was
 * given up while it came is as much overload as a delivery too many.
 */
export type Received = E.Either<Rejection, Became>;

const NOTHING = Buffer.alloc(0);

/** What is longer takes a millisecond or more to be read. */
const LARGE_BYTES = 32_768;

/** What came of a request, as far as it did. */
type Came = { body: Buffer | null };

/** Receives one delivery: its bytes, their proof, then what they say. */
export const receiveDelivery = (
  deps: ReceiveDeps,
): ((request: IncomingMessage, fields: LogFields) => Promise<Received>) => {
  const { settings, onVerified, recall, record, onFailure } = deps;
  const headerName = settings.signatureHeader.toLowerCase();
  const unread = new HeldByPeers(settings.mostUnread * settings.maxBodyBytes);
  const judge = judgeInTurn(settings.signedForm, unread, deps.peerOf);
  const ownTurn = oneATurn();
  let underWay = 0;

  const prove = async (
    request: IncomingMessage,
    { requestId }: LogFields,
    came: Came,
  ): Promise<E.Either<Rejection, VerifiedDelivery>> => {
    const wrongType = checkMediaType(request);
    if (wrongType !== null) return E.left(wrongType);
    const body = await readBody(request, settings.maxBodyBytes, settings.bodyWithinMs, unread);
    // Thousands may be late, or have too much, in one moment.
    if (E.isLeft(body)) return judge(request, NOTHING, () => body);
    came.body = body.right;
    const judged = (): E.Either<Rejection, VerifiedDelivery> =>
      verifyBytes(settings, deps.secrets(), {
        body: body.right,
        signature: request.headers[headerName],
        requestId,
        receivedAt: deps.now,
      });
    const verified = await judge(request, body.right, judged);
    if (E.isRight(verified)) unread.proved(request.socket.remoteAddress ?? '');
    return verified;
  };

  const take = async (verified: VerifiedDelivery, fields: LogFields): Promise<Became> => {
    // How old a delivery is, only its content tells.
    const before = settings.maxAgeSeconds === null && underWay < settings.mostUnderWay ? recall(verified) : null;
    if (before !== null) {
      onVerified(verified);
      return E.right(before);
    }
    // Many may come in one moment, and all of them are read at once else.
    if (verified.body.length > LARGE_BYTES) await ownTurn();
    const delivery = readVerified(settings, verified);
    if (E.isLeft(delivery)) return delivery;
    // Places are for what is proved: whoever sends anything else takes none of them.
    if (underWay >= settings.mostUnderWay) return E.left(overloaded);
    onVerified(delivery.right.verified);
    underWay += 1;
    try {
      const recorded = await record(delivery.right)();
      if (E.isRight(recorded)) return recorded;
      onFailure(recorded.left, fields);
      return E.left(recorded.left._tag === 'RacesLost' ? overloaded : notDurable);
    } finally {
      underWay -= 1;
    }
  };

  /** Counts what became of it; of a refused one it is seen what can be told at a glance. */
  const arrived = (request: IncomingMessage, came: Came, became: Became): void => {
    if (E.isRight(became)) {
      deps.arrivals.count(became.right.outcome);
      return;
    }
    const { code } = became.left;
    deps.arrivals.refuse(code, () => ({
      peer: deps.peerOf(request),
      orderId: came.body === null ? null : declaredOrder(came.body),
      rewritten:
        code === 'signature-mismatch' &&
        came.body !== null &&
        isRewritten(settings, deps.secrets(), came.body, request.headers[headerName]),
    }));
  };

  return async (request, fields) => {
    const came: Came = { body: null };
    const proof = await prove(request, fields, came);
    const received = E.isLeft(proof) ? proof : E.right(await take(proof.right, fields));
    arrived(request, came, E.isLeft(received) ? received : received.right);
    return received;
  };
};
