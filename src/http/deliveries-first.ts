import type { RequestListener } from 'node:http';
import { isForDeliveries } from './deliveries-path.ts';
import type { NewConnections } from './new-connections.ts';

/** Others that begin in one turn of the loop where nobody waits; hardly any moment has more. */
const AT_ONCE = 4;

/** How long others that waited may take of a turn, and how many of them are begun in it at the most. */
const MOST_MS = 2;
const MOST_BEGUN = 32;

/** Where connections keep coming, one other begins in so many turns. */
const ONE_TURN_OF = 8;

/**
 * Hears deliveries as they come, and of all other requests so many in each turn of the loop that the turn stays short.
 * What comes in by a new connection, goes to the writer and back takes several turns, each as long as all that begins in
 * it: a few hundred connections that ask for nothing much, one request each at a time, made deliveries wait for seconds.
 *
 * Where connections keep coming, turns are shorter still: one is accepted in each, so that a delivery by a new connection
 * waits for as many turns as there are connections before its own.
 */
export const deliveriesFirst = (connections: NewConnections, listener: RequestListener): RequestListener => {
  /** In the order in which they came, one of a connection at the most (inTurn): what has begun or left is kept by nobody. */
  const waiting = new Set<() => void>();
  let [begunInTurn, isTurnAwaited, turnBegan] = [0, false, 0];
  let crowdedTurns = 0;

  const beginOne = (): void => {
    if (performance.now() - turnBegan >= MOST_MS) return;
    const [begin] = waiting;
    if (begin === undefined) return;
    waiting.delete(begin);
    begin();
  };
  const nextTurn = (): void => {
    isTurnAwaited = false;
    begunInTurn = 0;
    if (waiting.size === 0) return;
    turnBegan = performance.now();
    awaitTurn();
    if (connections.keepComing) {
      crowdedTurns += 1;
      if (crowdedTurns % ONE_TURN_OF === 0) setImmediate(beginOne);
      return;
    }
    // An immediate each, so that what follows from one that has begun counts too before the next begins.
    for (let many = 0; many < MOST_BEGUN; many += 1) setImmediate(beginOne);
  };
  const awaitTurn = (): void => {
    if (isTurnAwaited) return;
    isTurnAwaited = true;
    setImmediate(nextTurn);
  };

  return (request, response) => {
    if (isForDeliveries(request.url ?? '')) {
      listener(request, response);
      return;
    }
    awaitTurn();
    if (waiting.size === 0 && begunInTurn < AT_ONCE && !connections.keepComing) {
      begunInTurn += 1;
      listener(request, response);
      return;
    }
    const begin = (): void => {
      if (!request.socket.destroyed) listener(request, response);
    };
    waiting.add(begin);
    response.once('close', () => waiting.delete(begin));
  };
};
