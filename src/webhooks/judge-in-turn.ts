import type { IncomingMessage } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import { BegunInShares, type Share } from '../concurrency/share-of-turn.ts';
import { HeldByPeers } from '../http/connections/held-by-peers.ts';
import { lastProofBy } from '../http/connections/proved-connections.ts';
import { CostlyInTurn } from './costly-in-turn.ts';
import { overloaded, type Rejection } from './rejection.ts';
import type { SignedForm } from './signed-form.ts';
import { WaitingBodies, type Sender } from './waiting-bodies.ts';

/**
 * Bodies of up to so many bytes are parsed and written again in one or two milliseconds, whatever is in them; larger ones
 * may take as many tens. It is twice what the largest deliveries of providers have.
 */
export const SMALL_BYTES = 8_192;

/** What waits at the most of larger bodies that have to be written again. */
const MOST_COSTLY_BYTES = 33_554_432;

/** What is judged in a turn of the loop of those that wait, and where none does; hardly any moment has more. */
const SHARE: Share = { ms: 4, begun: 64 };
const AT_ONCE = 4;

/** Judges a body of so many bytes at once or in its turn. */
type JudgeInTurn = <A>(
  request: IncomingMessage,
  bytes: number,
  judged: () => E.Either<Rejection, A>,
) => Promise<E.Either<Rejection, A>>;

/**
 * Says when bodies are judged: at once what comes by a connection whose last delivery was proved, in short shares of each
 * turn of the loop what comes by others, and one at a time, with rests, what may cost much, whoever sent it. The beginnings
 * of unproved deliveries are shared out already (deliveries-first.ts), but whoever keeps the last bytes of thousands back can
 * send those in one moment. One that is given up while it waits is refused as overload.
 *
 * @param unread what is held of bodies that nobody has proved; told of each peer that has
 * @param peerOf whose turn it is that a request takes
 */
export const judgeInTurn = (
  form: SignedForm,
  unread: HeldByPeers,
  peerOf: (request: IncomingMessage) => string,
): JudgeInTurn => {
  const waiting = new WaitingBodies(unread);
  const shares = new BegunInShares(SHARE, AT_ONCE, waiting);
  const costly = new CostlyInTurn(new HeldByPeers(MOST_COSTLY_BYTES));
  return async (request, bytes, judged) => {
    const lastProof = lastProofBy(request.socket);
    const isCostly = form === 'json' && bytes > SMALL_BYTES;
    if (!isCostly && (lastProof === true || shares.beginsNow())) return judged();
    const address = request.socket.remoteAddress ?? '';
    const sender: Sender = { address, who: peerOf(request), isKnown: lastProof ?? unread.isKnown(address) };
    if (isCostly) return (await costly.judge(sender, bytes, judged)) ?? E.left(overloaded);
    return (await waiting.turn(sender, bytes)) ? judged() : E.left(overloaded);
  };
};
