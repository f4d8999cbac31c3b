import { expect } from 'chai';
import { until } from '../support/until.ts';
import { DeliveryLog } from '../process/delivery-log.ts';
import { orderScript } from '../process/order-script.ts';
import { ask, processFixture } from '../process/process-fixture.ts';

/** Room for some hundred events in the write-ahead log. */
const LARGEST_FILE_BYTES = 1024 * 1024;

describe('a ledger without room on its disk that is killed', () => {
  const ledger = processFixture();

  it('has lost nothing where it is killed while the disk is full', async () => {
    const log = new DeliveryLog();
    const full = await ledger.serve(ledger.env(), { largestFileBytes: LARGEST_FILE_BYTES });
    let turn = 0;
    await until(15_000, 'the disk to be full', async () => {
      turn += 1;
      for (const delivery of orderScript(`killed-${turn}`, turn)) {
        const reply = await log.sendWhileAccepted(full.url, delivery);
        if (reply !== null) return reply;
      }
      return null;
    });
    full.signal('SIGKILL');
    await full.finished;
    const withRoom = await ledger.serve(ledger.env());
    await log.check(withRoom.url);
    expect((await ask(withRoom.url, '/readyz')).status).to.equal(200);
  }).timeout(30_000);
});
