import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import * as t from 'io-ts';
import { accepted, type DeliveryAnswer } from './answers.ts';
import { deliver, type Answer } from './exchange.ts';
import { right } from './right.ts';

/** docs/spec/receiving.md, Replies: what a delivery is answered with that waits for the store. */
const SpooledAnswer = t.strict({ outcome: t.literal('spooled'), orderId: t.union([t.string, t.null]) });

export type Acknowledgement = DeliveryAnswer | t.TypeOf<typeof SpooledAnswer>;

/** One request, which has a request id of its own; times in milliseconds since the Unix epoch. */
export type Attempt = {
  readonly requestId: string;
  readonly body: Buffer;
  readonly sentAt: number;
  /** Null where no answer came. */
  readonly answeredAt: number | null;
  /** Null where it was not acknowledged. */
  readonly acknowledgement: Acknowledgement | null;
};

const AGAIN_AFTER_MS = 20;
/** So that what waits is appended faster than more comes. */
const AFTER_SPOOLED_MS = 150;

let providers = 0;

/** What an answer acknowledges; null for 503. Any other answer fails the test. */
const acknowledged = (reply: Answer): Acknowledgement | null => {
  if (reply.status === 503) return null;
  return reply.status === 202 ? right(SpooledAnswer.decode(JSON.parse(reply.text))) : accepted(reply);
};

/** A provider that sends each delivery until it is answered 2xx, and keeps what became of each request. */
export class PersistentProvider {
  readonly attempts: Attempt[] = [];
  readonly #urlOf: () => string;
  readonly #name: string;
  #isOver = false;
  #sent = 0;
  #stored = 0;
  readonly #awaitsSpooled: (() => void)[] = [];
  #spooled = 0;

  /** @param urlOf the ledger of the moment */
  constructor(urlOf: () => string) {
    providers += 1;
    this.#urlOf = urlOf;
    this.#name = `provider-${providers}`;
  }

  /** Signs a body and sends it until it is acknowledged. */
  async deliver(body: Buffer): Promise<Acknowledgement> {
    for (;;) {
      if (this.#isOver) throw new Error('the provider was ended before a delivery was taken');
      const { acknowledgement } = await this.#attempt(body);
      if (acknowledgement?.outcome === 'spooled') await wait(AFTER_SPOOLED_MS);
      if (acknowledgement !== null) return acknowledgement;
      await wait(AGAIN_AFTER_MS);
    }
  }

  /** How many requests the store took so far, and how many the spool. */
  get stored(): number {
    return this.#stored;
  }

  get spooled(): number {
    return this.#spooled;
  }

  get acknowledged(): number {
    return this.#stored + this.#spooled;
  }

  /** Resolves at the very moment in which the next delivery is told to be spooled. */
  nextSpooled(): Promise<void> {
    return new Promise((resolve) => {
      this.#awaitsSpooled.push(resolve);
    });
  }

  /** Whether a request has no answer yet. */
  get isWaiting(): boolean {
    return this.#sent > this.attempts.length;
  }

  /** Sends nothing again from now on. */
  end(): void {
    this.#isOver = true;
  }

  async #attempt(body: Buffer): Promise<Attempt> {
    this.#sent += 1;
    const requestId = `${this.#name}.${this.#sent}`;
    const sentAt = Date.now();
    const reply = await deliver(this.#urlOf(), body, { headers: { 'x-request-id': requestId } }).catch(() => null);
    const attempt: Attempt = {
      requestId,
      body,
      sentAt,
      answeredAt: reply === null ? null : Date.now(),
      acknowledgement: reply === null ? null : acknowledged(reply),
    };
    if (reply !== null) expect(reply.headers['x-request-id']).to.equal(requestId);
    this.attempts.push(attempt);
    if (attempt.acknowledgement?.outcome === 'spooled') {
      this.#spooled += 1;
      for (const resolve of this.#awaitsSpooled.splice(0)) resolve();
    } else if (attempt.acknowledgement !== null) this.#stored += 1;
    return attempt;
  }
}
