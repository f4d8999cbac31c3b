import type { Flow } from '../../src/domain/flow.ts';
import { instantOf, type Instant } from '../../src/domain/instant.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { offRampOrder } from '../../src/sandbox/off-ramp-order.ts';
import { onRampOrder } from '../../src/sandbox/on-ramp-order.ts';
import { NAMED_PATHS } from '../../src/sandbox/path.ts';
import { Random } from '../../src/sandbox/random.ts';
import { timeline } from '../../src/sandbox/timeline.ts';

/** What the sandbox delivers, and when. */
export type SandboxPayload = { readonly payload: JsonObject; readonly at: Instant };

const ORDER = { onramp: onRampOrder, offramp: offRampOrder };

/** The payloads of an order on a path that has a name, the same for every run. */
export const sandboxPayloads = (
  flow: Flow,
  path: string,
  { orderId, nowMs }: { readonly orderId: string; readonly nowMs: number },
): readonly SandboxPayload[] => {
  const random = new Random(`examples/${orderId}`);
  const steps = NAMED_PATHS[flow].get(path) ?? [];
  const { createdAtMs, events } = timeline({ path: steps, utr: undefined, nowMs, withinMs: 3_600_000 }, random);
  const order = ORDER[flow](random, random, { flow, native: true, createdAtMs, fields: { orderId } });
  return events.map((event) => ({ payload: order.payload(event), at: instantOf(event.atMs) }));
};
