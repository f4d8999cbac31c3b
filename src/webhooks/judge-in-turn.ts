import type { IncomingMessage } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import { BegunInShares, type Share } from '../concurrency/share-of-turn.ts';
import { HeldByPeers } from '../http/connections/held-by-peers.ts';
import { connectionsBeside } from '../http/connections/new-connections.ts';
import { lastProofBy } from '../http/connections/proved-connections.ts';
import { CostlyInTurn } from './costly-in-turn.ts';
import { overloaded, type Rejection } from './rejection.ts';
import type { SignedForm } from './signed-form.ts';
import { takesLong } from './takes-long.ts';
import { WaitingBodies, type Sender } from './waiting-bodies.ts';

/** What waits at the most of bodies that take long. */
const MOST_COSTLY_BYTES = 33_554_432;

/** What is judged in a turn of the loop of those that wait, and where none does; hardly any moment has more. */
const SHARE: Share = { ms: 4, begun: 64 };
const AT_ONCE = 4;

/** Judges a body at once or in its turn. */
type JudgeInTurn = <A>(
  request: IncomingMessage,
  body: Buffer,
  judged: () => E.Either<Rejection, A>,
) => Promise<E.Either<Rejection, A>>;

/**
 * Says when bodies are judged: at once what comes by a connection whose last delivery was proved, in short shares of each
 * turn of the loop what comes by others, and behind these one at a time, with rests, what takes long, whoever sent it. So
 * whatever takes no time waits for one that takes long at the most, however many addresses send those. The beginnings of
 * unproved deliveries are shared out already (deliveries-first.ts), but whoever keeps the last bytes of thousands back can
 * send those in one moment. Where connections keep coming, each of which waits for a turn, fewer are judged in one. One that is
 * given up while it waits is refused as overload.
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
  let connections: ReturnType<typeof connectionsBeside> = null;
  const shares = new BegunInShares(SHARE, AT_ONCE, waiting, () => connections?.keepComing === true);
  const heldCostly = new HeldByPeers(MOST_COSTLY_BYTES);
  const costly = new CostlyInTurn(heldCostly, waiting);
  return async (request, body, judged) => {
    connections = connectionsBeside(request.socket);
    const lastProof = lastProofBy(request.socket);
    const address = request.socket.remoteAddress ?? '';
    const sender = (): Sender => ({ address, who: peerOf(request), isKnown: lastProof ?? unread.isKnown(address) });
    const begins = lastProof === true || shares.beginsNow() || (await waiting.turn(sender(), body.length));
    if (!begins) return E.left(overloaded);
    // Only now, since looking through a large one takes a moment too.
    const verdict = form === 'json' && takesLong(body) ? await costly.judge(sender(), body.length, judged) : judged();
    if (verdict === null) return E.left(overloaded);
    // Whoever proves themselves by small ones has room for a large one.
    if (E.isRight(verdict)) heldCostly.proved(address);
    return verdict;
  };
};
