import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { beginShare, type Share } from '../../concurrency/share-of-turn.ts';
import { isForDeliveries } from '../deliveries-path.ts';
import type { HeldByPeers } from './held-by-peers.ts';
import type { NewConnections } from './new-connections.ts';
import { lastProofBy } from './proved-connections.ts';
import { holdUnheard } from './hold-unheard.ts';
import { WaitingLine } from './waiting-line.ts';

/** Requests of a kind that begin in one turn of the loop where nobody waits; hardly any moment has more. */
const AT_ONCE = 4;

const UNPROVED: Share = { ms: 4, begun: 64 };
const OTHERS: Share = { ms: 2, begun: 32 };

/**
 * Of unproved deliveries one in so many is of a connection by which one was refused before; where connections keep coming, one
 * other request begins in so many turns, too.
 */
const ONE_OF = 8;

/**
 * Hears deliveries as they come of those who proved who they are, and of all other requests so many in each turn of the
 * loop that the turn stays short. What comes in by a new connection, goes to the writer and back takes several turns, each as
 * long as all that begins in it: a few hundred connections that ask for nothing much, or send forged deliveries, one request
 * each at a time, made genuine deliveries wait for seconds.
 *
 * Deliveries of whom nobody knows yet have a larger share of the turn than other requests, and before them, so that a new
 * provider is soon heard; among them those come first of whose connection none was refused as unproved yet, but for one in eight.
 *
 * Where connections keep coming, turns are shorter still: one is accepted in each, so that a delivery by a new connection
 * waits for as many turns as there are connections before its own. One delivery of the unproved begins in each, since one
 * new connection is what each turn brings.
 *
 * @param unheard what all requests hold that wait, here or elsewhere
 * @param isKnown whether the peer of a connection has proved who it is, by this one or another
 */
export const deliveriesFirst = (
  connections: NewConnections,
  unheard: HeldByPeers,
  isKnown: (socket: Duplex) => boolean,
  listener: RequestListener,
): RequestListener => {
  const hold = (request: IncomingMessage): (() => void) => holdUnheard(unheard, request);
  const [unproved, refusedBefore, others] = [
    new WaitingLine(hold, listener),
    new WaitingLine(hold, listener),
    new WaitingLine(hold, listener),
  ];
  let [unprovedInTurn, othersInTurn, isTurnAwaited] = [0, 0, false];
  let crowdedTurns = 0;

  const unprovedThatWait = (): number => unproved.size + refusedBefore.size;
  let unprovedBegun = 0;
  const beginUnproved = (): void => {
    unprovedBegun += 1;
    const [first, second] = unprovedBegun % ONE_OF === 0 ? [refusedBefore, unproved] : [unproved, refusedBefore];
    (first.size > 0 ? first : second).beginOne();
  };
  const beginCrowded = (): void => {
    crowdedTurns += 1;
    setImmediate(beginUnproved);
    if (crowdedTurns % ONE_OF === 0) setImmediate(() => others.beginOne());
  };
  const nextTurn = (): void => {
    isTurnAwaited = false;
    [unprovedInTurn, othersInTurn] = [0, 0];
    if (unprovedThatWait() + others.size === 0) return;
    awaitTurn();
    if (connections.keepComing) {
      beginCrowded();
      return;
    }
    beginShare(UNPROVED, unprovedThatWait(), beginUnproved);
    beginShare(OTHERS, others.size, () => others.beginOne());
  };
  const awaitTurn = (): void => {
    if (isTurnAwaited) return;
    isTurnAwaited = true;
    setImmediate(nextTurn);
  };

  const hearDelivery = (request: IncomingMessage, response: ServerResponse): void => {
    const lastProof = lastProofBy(request.socket);
    const line = lastProof === false ? refusedBefore : unproved;
    if (lastProof ?? isKnown(request.socket)) {
      listener(request, response);
      return;
    }
    awaitTurn();
    if (unprovedThatWait() === 0 && unprovedInTurn < AT_ONCE && !connections.keepComing) {
      unprovedInTurn += 1;
      listener(request, response);
      return;
    }
    line.add(request, response);
  };
  return (request, response) => {
    // Whatever else is asked of that address proves nothing, nor does it fail to: it would be heard like an unheard-of delivery for ever.
    if (request.method === 'POST' && isForDeliveries(request.url ?? '')) {
      hearDelivery(request, response);
      return;
    }
    awaitTurn();
    if (others.size === 0 && othersInTurn < AT_ONCE && !connections.keepComing) {
      othersInTurn += 1;
      listener(request, response);
      return;
    }
    others.add(request, response);
  };
};
