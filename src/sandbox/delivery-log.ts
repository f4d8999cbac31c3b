import type { Parcel } from './parcel.ts';

/** What became of a delivery: an answer, or why there was none. */
export type DeliveryAnswer =
  | { readonly status: number; readonly body: string; readonly durationMs: number }
  | { readonly error: string; readonly durationMs: number };

/** One request to the target. */
export type Delivery = {
  /** From 1, in the order of sending. */
  readonly number: number;
  readonly parcel: Parcel;
  /** Which try of this parcel it is, from 1. */
  readonly attempt: number;
  /** By the sandbox's clock. */
  readonly sentAt: string;
  /** Null while it is awaited. */
  readonly answer: DeliveryAnswer | null;
};

type Kept = { -readonly [K in keyof Delivery]: Delivery[K] };

/** How many deliveries there were, and how they were answered: by status, or `none`. */
export type DeliveryCounts = { readonly sent: number; readonly answers: ReadonlyMap<string, number> };

/** The latest deliveries, up to a number of them: in a run of hours the memory they take stays the same. */
export class DeliveryLog {
  readonly #most: number;
  readonly #kept: Kept[] = [];
  readonly #answers = new Map<string, number>();
  #sent = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Notes a delivery that is being sent; what it gives is told the answer. */
  sent(parcel: Parcel, attempt: number, sentAt: string): (answer: DeliveryAnswer) => Delivery {
    const delivery: Kept = { number: this.#sent + 1, parcel, attempt, sentAt, answer: null };
    this.#kept[this.#sent % this.#most] = delivery;
    this.#sent += 1;
    return (answer) => {
      delivery.answer = answer;
      const name = 'status' in answer ? String(answer.status) : 'none';
      this.#answers.set(name, (this.#answers.get(name) ?? 0) + 1);
      return delivery;
    };
  }

  counts(): DeliveryCounts {
    return { sent: this.#sent, answers: this.#answers };
  }

  /** How many are not kept any more. */
  get dropped(): number {
    return this.#sent - this.#kept.length;
  }

  /** Those that are kept, oldest first. */
  all(): readonly Delivery[] {
    const oldest = this.#sent % this.#most;
    return this.#kept.length < this.#most ? this.#kept : [...this.#kept.slice(oldest), ...this.#kept.slice(0, oldest)];
  }
}
