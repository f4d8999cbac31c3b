import { expect } from 'chai';
import * as t from 'io-ts';
import { accepted, type DeliveryAnswer } from '../support/answers.ts';
import { deliver, type Answer } from '../support/exchange.ts';
import { inTurns } from '../support/in-turns.ts';
import { right } from '../support/right.ts';
import type { ScriptedDelivery } from './order-script.ts';
import { ask } from './process-fixture.ts';

/** A delivery that was sent once, and what it was answered; null where no whole answer came. */
export type SentDelivery = { readonly delivery: ScriptedDelivery; readonly answer: DeliveryAnswer | null };

const EventList = t.type({ data: t.array(t.type({ eventId: t.string, revision: t.number, type: t.string })) });

const CHECKED_AT_ONCE = 16;

/**
 * What a provider knows of its deliveries. Each that was answered must be in its stream exactly as it was answered; each
 * that was sent, answered or not, may be there once at most.
 */
export class DeliveryLog {
  readonly #sent = new Map<string, SentDelivery[]>();
  acknowledged = 0;

  /** Sends a delivery, and writes down what came of it. An answer other than 200 fails the test. */
  async send(url: string, delivery: ScriptedDelivery): Promise<SentDelivery> {
    const reply = await deliver(url, delivery.body).catch(() => null);
    return this.#add({ delivery, answer: reply === null ? null : accepted(reply) });
  }

  /** Sends a delivery, and writes down what came of it where it was accepted; the answer, where it was not. */
  async sendWhileAccepted(url: string, delivery: ScriptedDelivery): Promise<Answer | null> {
    const reply = await deliver(url, delivery.body);
    if (reply.status !== 200) return reply;
    this.#add({ delivery, answer: accepted(reply) });
    return null;
  }

  get orders(): number {
    return this.#sent.size;
  }

  /** How many events there must be once everything that was sent has been answered. */
  get events(): number {
    const perOrder = [...this.#sent.values()].map((sent) => new Set(sent.map(({ delivery }) => delivery.event)).size);
    return perOrder.reduce((sum, count) => sum + count, 0);
  }

  /** Sends what got no answer once more, in the order of the first time. */
  async resendUnanswered(url: string): Promise<number> {
    const unanswered = [...this.#sent.entries()].map(([orderId, sent]) => {
      this.#sent.set(
        orderId,
        sent.filter(({ answer }) => answer !== null),
      );
      return sent.filter(({ answer }) => answer === null);
    });
    await inTurns(unanswered, CHECKED_AT_ONCE, async (sent) => {
      for (const { delivery } of sent) expect((await this.send(url, delivery)).answer).to.not.equal(null);
    });
    return unanswered.flat().length;
  }

  #add(entry: SentDelivery): SentDelivery {
    const { orderId } = entry.delivery;
    this.#sent.set(orderId, [...(this.#sent.get(orderId) ?? []), entry]);
    if (entry.answer !== null) this.acknowledged += 1;
    return entry;
  }

  /** Compares every order with what was acknowledged; once all is answered, there may be nothing beside it. */
  async check(url: string, orderIds: readonly string[] = [...this.#sent.keys()]): Promise<void> {
    await inTurns(orderIds, CHECKED_AT_ONCE, async (orderId) => {
      const sent = this.#sent.get(orderId) ?? [];
      if (sent.some(({ answer }) => answer !== null)) await checkOrder(url, orderId, sent);
    });
  }

  get orderIds(): readonly string[] {
    return [...this.#sent.keys()];
  }
}

const checkOrder = async (url: string, orderId: string, sent: readonly SentDelivery[]): Promise<void> => {
  const listed = await ask(url, `/v1/orders/${orderId}/events`);
  expect(listed.status, listed.text).to.equal(200);
  const events = right(EventList.decode(JSON.parse(listed.text))).data;
  expect(events.map(({ revision }) => revision)).to.deep.equal([...events.keys()]);
  const ids = events.map(({ eventId }) => eventId);
  expect(new Set(ids).size, 'event ids are unique').to.equal(ids.length);
  const possible = new Set(sent.map(({ delivery }) => delivery.event)).size;
  if (sent.every(({ answer }) => answer !== null)) expect(ids, orderId).to.have.lengthOf(possible);
  else expect(ids.length).to.be.at.most(possible);
  for (const { delivery, answer } of sent) {
    if (answer === null) continue;
    const { eventId, stream, revision, outcome } = answer;
    expect({ stream, orderId: answer.orderId }).to.deep.equal({ stream: `order-${orderId}`, orderId });
    expect(ids[revision], `${orderId}, revision ${revision}, ${outcome}`).to.equal(eventId);
    expect(outcome === 'conflict', `${delivery.event}: ${outcome}`).to.equal(delivery.isConflict);
    if (outcome === 'duplicate') continue;
    const signed = await ask(url, `/v1/orders/${orderId}/events/${revision}/body`);
    const expected = { status: 200, bytes: delivery.body.toString('latin1') };
    expect(
      { status: signed.status, bytes: signed.bytes.toString('latin1') },
      `${orderId}, ${revision}, ${outcome}`,
    ).to.deep.equal(expected);
  }
};
