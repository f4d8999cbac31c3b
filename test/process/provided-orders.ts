import * as fc from 'fast-check';
import type { Sha256 } from '../../src/domain/ids.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { orderPayloads } from '../support/order-deliveries.ts';
import { bodyOf, offRamp, onRamp } from '../support/payloads.ts';
import type { PersistentProvider } from '../support/persistent-provider.ts';

/** An order as a provider tells of it. */
type ProvidedOrder = {
  /** Resolves when everything was taken. */
  readonly deliver: (provider: PersistentProvider) => Promise<void>;
};

export type ProvidedOrders = {
  /** An order by its number, from 0; there is no last one. */
  readonly order: (number: number) => ProvidedOrder;
  /** The digests of bodies that tell of a known order, and of the other flow. */
  readonly ofOtherFlow: () => ReadonlySet<Sha256>;
};

/** One after the other; all at once; all at once and each twice. */
type Manner = 'in order' | 'at once' | 'doubled';

type Drawn = {
  readonly payloads: readonly JsonObject[];
  readonly manner: Manner;
  /** What comes last: nothing, a body that nobody can read, or one of the other flow. */
  readonly last: 'nothing' | 'unreadable' | 'other flow';
};

const drawn = (orderId: string): fc.Arbitrary<Drawn> =>
  fc.record({
    payloads: orderPayloads(orderId),
    manner: fc.constantFrom<Manner>('in order', 'in order', 'in order', 'at once', 'doubled'),
    last: fc.constantFrom('nothing', 'nothing', 'nothing', 'unreadable', 'other flow'),
  });

/** Orders of both flows with everything that providers do, the same for a seed: duplicates, conflicts, shuffled and changed facts, what can't be read. */
export const providedOrders = (seed: number): ProvidedOrders => {
  const ofOtherFlow = new Set<Sha256>();
  const lastBodies = (orderId: string, { payloads, last }: Drawn): readonly Buffer[] => {
    if (last === 'nothing') return [];
    if (last === 'unreadable') return [Buffer.from(`{"orderId":"${orderId}","status":`)];
    const other = payloads[0]?.['eventType'] === 'onramp' ? offRamp({ orderId }) : onRamp({ orderId });
    const body = bodyOf(other);
    ofOtherFlow.add(sha256(body));
    return [body];
  };

  const orderAt = (number: number): ProvidedOrder => {
    const orderId = `provided-${number}`;
    const [order] = fc.sample(drawn(orderId), { seed: seed + number, numRuns: 1 });
    if (order === undefined) throw new Error('nothing was drawn');
    const bodies = order.payloads.map((payload) => Buffer.from(JSON.stringify(payload)));
    const last = lastBodies(orderId, order);
    return {
      deliver: async (provider) => {
        if (order.manner === 'in order') for (const body of bodies) await provider.deliver(body);
        else {
          const times = order.manner === 'doubled' ? [...bodies, ...bodies] : bodies;
          await Promise.all(times.map((body) => provider.deliver(body)));
        }
        // Bodies of one quarantine stream may race each other too.
        for (const body of last) await Promise.all([provider.deliver(body), provider.deliver(body)]);
      },
    };
  };
  return { order: orderAt, ofOtherFlow: () => ofOtherFlow };
};

/** Delivers order after order, so many at the same time, until the signal; each that was begun is delivered to its end. */
export const deliverOrders = async (
  orders: ProvidedOrders,
  provider: PersistentProvider,
  lanes: number,
  signal: AbortSignal,
): Promise<void> => {
  let last = 0;
  const lane = async (): Promise<void> => {
    while (!signal.aborted) {
      last += 1;
      await orders.order(last).deliver(provider);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
};
