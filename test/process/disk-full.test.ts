import { expect } from 'chai';
import { accepted, refused } from '../support/answers.ts';
import { deliver } from '../support/exchange.ts';
import { DeliveryLog } from './delivery-log.ts';
import { orderScript } from './order-script.ts';
import { ask, expectOrderlyEnd, processFixture } from './process-fixture.ts';

/** Room for some hundred events in the write-ahead log. */
const LARGEST_FILE_BYTES = 1024 * 1024;
const WORKERS = 8;

describe('a ledger without room on its disk', () => {
  const ledger = processFixture();

  it('takes no delivery that it could not keep, answers all else, and has lost nothing', async () => {
    const log = new DeliveryLog();
    const full = await ledger.serve(ledger.env(), { largestFileBytes: LARGEST_FILE_BYTES });
    let turn = 0;
    const deliverUntilFull = async (): Promise<Buffer> => {
      for (;;) {
        turn += 1;
        for (const delivery of orderScript(`full-${turn}`, turn)) {
          const reply = await log.sendWhileAccepted(full.url, delivery);
          if (reply === null) continue;
          refused(reply, 503, 'not-durable');
          expect(Number(reply.headers['retry-after'])).to.be.at.least(1);
          return delivery.body;
        }
      }
    };
    const bodies = await Promise.all(Array.from({ length: WORKERS }, deliverUntilFull));
    expect(log.acknowledged, 'deliveries before the disk was full').to.be.at.least(50);
    refused(await ask(full.url, '/readyz'), 503, 'not-ready');
    expect((await ask(full.url, '/livez')).status).to.equal(200);
    await log.check(full.url);
    for (const body of bodies) refused(await deliver(full.url, body), 503, 'not-durable');
    // What is there already needs no room.
    for (const { body } of orderScript('full-1', 1).slice(0, 2)) {
      expect(accepted(await deliver(full.url, body)).outcome).to.equal('duplicate');
    }
    full.signal('SIGTERM');
    expectOrderlyEnd(await full.finished, ledger.inFolder('data'));

    const withRoom = await ledger.serveHere(ledger.env());
    await log.check(withRoom.url);
    for (const body of bodies) expect((await deliver(withRoom.url, body)).status).to.equal(200);
    const verified = await ledger.command(['verify', '--json'], ledger.env());
    expect(JSON.parse(verified.out))
      .to.include({ events: log.events + WORKERS })
      .and.to.deep.include({ failures: [] });
  }).timeout(30_000);
});
