import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { FLOWS } from '../../src/domain/flow.ts';
import { NAMED_PATHS } from '../../src/sandbox/path.ts';
import type { Run } from '../../src/sandbox/sandbox.ts';
import { sandboxClock } from '../../src/sandbox/sandbox-clock.ts';
import { at } from '../support/naive-json.ts';
import { right } from '../support/right.ts';
import { asked, bodiesOf, NO_FAULTS, NOW, sandboxOf, sentFor } from './sandbox-scene.ts';

const HOUR = 3_600_000;
const RUN: Run = { orders: 60, rate: null, withinMs: 30 * 24 * HOUR, faults: NO_FAULTS };

const statusesOf = (bodies: readonly string[]): readonly unknown[] =>
  bodies.map((body) => at(JSON.parse(body), 'status'));

describe('the sandbox', () => {
  it('sends the same bytes in the same order for the same seed and clock, and others for another seed', async () => {
    const sent = async (seed: string): Promise<readonly string[]> => {
      const sandbox = sandboxOf({ seed });
      await sandbox.play({ ...RUN, faults: new Set(['shuffle', 'duplicates', 'other-facts', 'reserialised']) });
      return bodiesOf(sandbox.deliveries.all());
    };
    const first = await sent('a');
    expect(await sent('a')).to.deep.equal(first);
    expect(new Set(await sent('b')).intersection(new Set(first)).size).to.equal(0);
  });

  it('makes an order of its own out of what is given, whatever else was given', async () => {
    const plain = await sentFor(sandboxOf(), { flow: 'onramp', path: 'completed' });
    const other = await sentFor(sandboxOf(), { flow: 'onramp', path: 'completed', receiverWalletAddress: '0xaa' });
    expect(other.map((body) => body.replace('0xaa', ''))).to.deep.equal(
      plain.map((body) => body.replace(String(at(JSON.parse(body), 'receiverWalletAddress')), '')),
    );
  });

  it('sends the events of every path with a name, in its order', async () => {
    for (const flow of FLOWS) {
      for (const [name, path] of NAMED_PATHS[flow]) {
        const sent = await sentFor(sandboxOf(), { flow, path: name });
        expect(statusesOf(sent), name).to.deep.equal(path.map(({ status }) => status));
      }
    }
  });

  it('gives each payout attempt a utr of its own, and sends it late where the path says so', async () => {
    const utrs = async (path: string): Promise<readonly unknown[]> =>
      (await sentFor(sandboxOf(), { flow: 'offramp', path })).map((body) => at(JSON.parse(body), 'utr'));
    const [, , , first, again, second, last] = await utrs('retried');
    expect(first).to.be.a('string').and.to.equal(again);
    expect(second).to.be.a('string').and.to.equal(last).and.not.to.equal(first);
    const late = await utrs('late-utr');
    expect(late.slice(0, 4)).to.deep.equal([undefined, undefined, undefined, undefined]);
    expect(late[4]).to.be.a('string').and.to.equal(late[5]);
    const given = await sentFor(sandboxOf(), { flow: 'offramp', path: ['fiatDeemed', 'PayoutSuccess'], utr: 'UTR-7' });
    expect(given.map((body) => at(JSON.parse(body), 'utr'))).to.deep.equal(['UTR-7', 'UTR-7']);
  });

  it('expires what stays pending for more than three hours of its clock, once', async () => {
    const sandbox = sandboxOf({ clock: sandboxClock(() => NOW) });
    const bodies = await sentFor(sandbox, { flow: 'onramp', path: 'pending', orderId: 'o-1' });
    await sentFor(sandbox, { flow: 'onramp', path: ['fiatPending', 'orderReceived'] });
    await sentFor(sandbox, { flow: 'offramp', path: 'pending' });
    expect(at(JSON.parse(bodies[0] ?? ''), 'createdAt')).to.equal(new Date(NOW).toISOString());
    const expired = (): readonly unknown[] =>
      sandbox.deliveries.all().flatMap(({ parcel }) => (parcel.status === 'expired' ? [parcel.orderId] : []));
    await sandbox.advance(3 * HOUR);
    expect(expired()).to.deep.equal([]);
    await sandbox.advance(1);
    expect(expired()).to.deep.equal(['o-1']);
    await sandbox.advance(24 * HOUR);
    expect(expired()).to.deep.equal(['o-1']);
    expect(sandbox.deliveries.all().at(-1)?.sentAt).to.equal(new Date(NOW + 3 * HOUR + 1).toISOString());
  });

  it('has an order that it lets expire at once wait for its three hours in the past', async () => {
    const [pending = ''] = await sentFor(sandboxOf(), { flow: 'onramp', path: 'expired' });
    expect(Date.parse(String(at(JSON.parse(pending), 'createdAt')))).to.be.lessThan(NOW - 3 * HOUR);
  });

  it('spreads the orders of a run over its days, with nothing that happens later than now', async () => {
    const sandbox = sandboxOf();
    await sandbox.play(RUN);
    const times = bodiesOf(sandbox.deliveries.all()).flatMap((body) => {
      const payload: unknown = JSON.parse(body);
      return [at(payload, 'createdAt') ?? at(payload, 'created_at'), at(payload, 'updated_at') ?? []].flat();
    });
    const ms = times.map((time) => Date.parse(String(time))).filter((time) => time > 0);
    expect(Math.max(...ms)).to.be.within(NOW - 5 * 24 * HOUR, NOW);
    expect(Math.min(...ms)).to.be.within(NOW - 31 * 24 * HOUR, NOW - 25 * 24 * HOUR);
    expect(sandbox.progress).to.deep.equal({ running: false, ordersPlayed: 60 });
  });

  it('refuses an order id that it knows', async () => {
    const sandbox = sandboxOf();
    const order = { flow: 'onramp', path: 'completed', orderId: 'o-1' };
    await sentFor(sandbox, order);
    expect(sandbox.place(asked(order))).to.deep.equal(E.left('orderId: there is an order "o-1" already'));
  });

  it('sends nothing where no callback URL is configured, and has orders all the same', async () => {
    const sandbox = sandboxOf({ callback: null });
    await right(sandbox.place(asked({ flow: 'onramp', path: 'completed', orderId: 'o-1' }))).delivered;
    await sandbox.play({ ...RUN, orders: 3 });
    expect(sandbox.deliveries.counts().sent).to.equal(0);
    expect(sandbox.orders.list()).to.have.length(4);
    expect(sandbox.orders.list().at(-1)).to.include({ orderId: 'o-1', eventType: 'onramp', status: 'completed' });
    expect(sandbox.expectation.totals('onramp')).to.deep.equal([]);
  });

  it('forgets old orders and deliveries, but not what they add up to', async () => {
    const sandbox = sandboxOf();
    await sandbox.play({ ...RUN, orders: 2_600 });
    expect(sandbox.orders.list()).to.have.length(1_000);
    expect(sandbox.deliveries.all()).to.have.length(10_000);
    expect(sandbox.deliveries.dropped).to.be.greaterThan(0);
    const orders = FLOWS.flatMap((flow) => sandbox.expectation.totals(flow)).map((total) =>
      Number(at(total, 'orders')),
    );
    expect(orders.reduce((all, count) => all + count, 0)).to.equal(2_600);
  });

  it('ends a run that has no end, and what waits for its next try', async () => {
    let calls = 0;
    const sandbox = sandboxOf({
      target: () => {
        calls += 1;
        if (calls === 50) sandbox.end();
        return { error: 'away', durationMs: 1 };
      },
    });
    await sandbox.play({ ...RUN, orders: null });
    expect(calls).to.equal(50);
  });
});
