import type { JsonObject } from '../../src/domain/json.ts';
import type { Delivery, DeliveryAnswer } from '../../src/sandbox/delivery-log.ts';
import type { Fault } from '../../src/sandbox/fault.ts';
import { readAskedOrder, type AskedOrder } from '../../src/sandbox/order-request.ts';
import { signWith } from '../../src/sandbox/parcel.ts';
import type { Signed } from '../../src/sandbox/post.ts';
import { Sandbox, type SandboxDeps } from '../../src/sandbox/sandbox.ts';
import { sandboxClock } from '../../src/sandbox/sandbox-clock.ts';
import { right } from '../support/right.ts';
import { SECRET } from '../support/payloads.ts';

/** Where the clock of the sandboxes below stands. */
export const NOW = Date.UTC(2026, 0, 31, 12);

export const TAKEN: DeliveryAnswer = { status: 200, body: '', durationMs: 1 };
export const REFUSED: DeliveryAnswer = { status: 503, body: '', durationMs: 1 };

/** A target of the test's own. */
export type Target = (signed: Signed) => DeliveryAnswer | Promise<DeliveryAnswer>;

/** A sandbox whose clock stands still, that waits for nothing, and sends to a target without a network. */
export const sandboxOf = (over: Partial<SandboxDeps> & { readonly target?: Target } = {}): Sandbox => {
  const { target = () => TAKEN, ...deps } = over;
  return new Sandbox({
    seed: 'test',
    clock: sandboxClock(() => NOW),
    wallMs: () => NOW,
    monotonicMs: () => 0,
    wait: () => Promise.resolve(),
    callback: {
      post: { post: (signed) => Promise.resolve(target(signed)), close: () => undefined },
      sign: signWith(Buffer.from(SECRET)),
    },
    retries: { mostTries: null, firstWaitMs: 1 },
    ordersAtOnce: 1,
    onGivenUp: () => undefined,
    ...deps,
  });
};

export const NO_FAULTS: ReadonlySet<Fault> = new Set();

/** An order as `POST /sandbox/orders` takes it. */
export const asked = (body: JsonObject): AskedOrder => right(readAskedOrder(body, NO_FAULTS));

/** Places an order, and gives the bodies that were sent when all of them are through. */
export const sentFor = async (sandbox: Sandbox, body: JsonObject): Promise<readonly string[]> => {
  const { orderId, delivered } = right(sandbox.place(asked(body)));
  await delivered;
  return bodiesOf(sandbox.deliveries.all().filter(({ parcel }) => parcel.orderId === orderId));
};

export const bodiesOf = (deliveries: readonly Delivery[]): readonly string[] =>
  deliveries.map(({ parcel }) => parcel.body.toString());
