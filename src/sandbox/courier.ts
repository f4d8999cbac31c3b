import { backOff } from '../concurrency/back-off.ts';
import { retried } from '../concurrency/retried.ts';
import type { Pause } from '../concurrency/wait.ts';
import type { Delivery, DeliveryLog } from './delivery-log.ts';
import type { Pacer } from './pacer.ts';
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
  /**
   * How long it waits before the second try, in milliseconds; from then on twice as long each time, up to half a
   * minute.
   */
  readonly firstWaitMs: number;
};

export type CourierDeps = {
  readonly post: Post['post'];
  readonly log: DeliveryLog;
  readonly now: () => string;
  readonly wait: Pause;
  readonly random: Random;
  /** Whether the sandbox ends: nothing more is sent then. */
  readonly ending: () => boolean;
  /** Called with each parcel that was not taken and will not be sent again. */
  readonly onGivenUp: (delivery: Delivery) => void;
};

/** Whether it was taken in the end. */
export type Deliver = (parcel: Parcel, pacer: Pacer, retries: Retries) => Promise<boolean>;

const LONGEST_WAIT_MS = 30_000;

const wasTaken = ({ answer }: Delivery): boolean =>
  answer !== null && 'status' in answer && answer.status >= 200 && answer.status < 300;

/**
 * Sends parcels, and sends again those that are not answered with 2xx, as a provider does. A forged one is sent once.
 */
export const courier = (deps: CourierDeps): Deliver => {
  const { post, log, now, wait, random, ending, onGivenUp } = deps;
  return async (parcel, pacer, { mostTries, firstWaitMs }) => {
    const send = async (failures: number): Promise<Delivery | null> => {
      await pacer.turn();
      if (ending()) return null;
      const answered = log.sent(parcel, failures + 1, now());
      return answered(await post(parcel));
    };
    const isToBeTaken = (delivery: Delivery): boolean => !wasTaken(delivery) && !isForged(parcel) && !ending();
    const last = await retried(
      send,
      (delivery, failures) =>
        delivery === null || !isToBeTaken(delivery) || failures === mostTries
          ? null
          : backOff({ firstMs: firstWaitMs, longestMs: LONGEST_WAIT_MS }, failures, () => random.fraction()),
      wait,
    );
    if (last !== null && isToBeTaken(last)) onGivenUp(last);
    return last !== null && wasTaken(last);
  };
};
