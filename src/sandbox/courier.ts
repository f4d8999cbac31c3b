import type { Delivery, DeliveryLog } from './delivery-log.ts';
import type { Pacer, Wait } from './pacer.ts';
import { isForged, type Parcel } from './parcel.ts';
import type { Post } from './post.ts';
import type { Random } from './random.ts';

/**
 * How deliveries are tried again; the provider does not state its own way (docs/spec/provider.md, Not stated), so it
 * can be chosen here.
 */
export type Retries = {
  /** The provider gives up after so many tries; null: never. */
  readonly mostTries: number | null;
  /** How long it waits before the second try, in milliseconds; from then on twice as long each time, up to half a minute. */
  readonly firstWaitMs: number;
};

export type CourierDeps = {
  readonly post: Post['post'];
  readonly log: DeliveryLog;
  readonly now: () => string;
  readonly wait: Wait;
  readonly random: Random;
  /** Whether the sandbox ends: nothing more is sent then. */
  readonly ending: () => boolean;
  /** Told of what will not be sent again though it was not taken. */
  readonly onGivenUp: (delivery: Delivery) => void;
};

/** Whether it was taken in the end. */
export type Deliver = (parcel: Parcel, pacer: Pacer, retries: Retries) => Promise<boolean>;

const LONGEST_WAIT_MS = 30_000;
const HALF = 0.5;

const wasTaken = ({ answer }: Delivery): boolean =>
  answer !== null && 'status' in answer && answer.status >= 200 && answer.status < 300;

/** Sends parcels, and again what is not answered with 2xx, as a provider does. What is forged is sent once. */
export const courier = (deps: CourierDeps): Deliver => {
  const { post, log, now, wait, random, ending, onGivenUp } = deps;
  const waitAfter = (attempt: number, firstWaitMs: number): number => {
    const longest = Math.min(LONGEST_WAIT_MS, firstWaitMs * 2 ** (attempt - 1));
    return longest * HALF + random.below(Math.ceil(longest * HALF) + 1);
  };
  return async (parcel, pacer, { mostTries, firstWaitMs }) => {
    for (let attempt = 1; ; attempt += 1) {
      await pacer.turn();
      if (ending()) return false;
      const answered = log.sent(parcel, attempt, now());
      const delivery = answered(await post(parcel));
      if (wasTaken(delivery)) return true;
      if (isForged(parcel) || ending()) return false;
      if (mostTries !== null && attempt >= mostTries) {
        onGivenUp(delivery);
        return false;
      }
      await wait(waitAfter(attempt, firstWaitMs));
    }
  };
};
