import { copyFileSync } from 'node:fs';
import { expect } from 'chai';
import { accepted } from '../support/answers.ts';
import { deliver } from '../support/exchange.ts';
import { at } from '../support/naive-json.ts';
import { onRamp } from '../support/payloads.ts';
import { ask, processFixture } from './process-fixture.ts';

const idsOf = (text: string): unknown => {
  const data = at(JSON.parse(text), 'data');
  return Array.isArray(data) ? data.map((order: unknown) => at(order, 'orderId')) : data;
};

describe('an older log that is put back by hand', () => {
  const ledger = processFixture();
  const file = (): string => ledger.inFolder('data', 'events.db');
  const kept = (): string => ledger.inFolder('older.db');

  /** Serves while orders come, and ends in an orderly way; answers what is listed then. */
  const served = async (...orderIds: readonly string[]): Promise<unknown> => {
    const { url, stop } = await ledger.serveHere(ledger.env());
    let path = '/v1/orders';
    for (const orderId of orderIds) {
      const { position } = accepted(await deliver(url, onRamp({ orderId })));
      path = `/v1/orders?position=${position}`;
    }
    const { text } = await ask(url, path);
    await stop();
    return idsOf(text);
  };

  it('has its read models built anew: what it gives positions again for is listed, and what is gone is not', async () => {
    await served('first');
    copyFileSync(file(), kept());
    expect(await served('lost')).to.have.members(['first', 'lost']);
    copyFileSync(kept(), file());
    expect(await served('later')).to.have.members(['first', 'later']);
    expect(JSON.parse((await ledger.command(['verify', '--json'], ledger.env())).out)).to.deep.include({ events: 2 });
  }).timeout(30_000);

  it('is what commands ask too, before a ledger serves it', async () => {
    await served('first');
    copyFileSync(file(), kept());
    await served('lost');
    copyFileSync(kept(), file());
    const listed = await ledger.command(['orders', '--json'], ledger.env());
    expect([listed.status, idsOf(listed.out)]).to.deep.equal([0, ['first']]);
  }).timeout(30_000);
});
