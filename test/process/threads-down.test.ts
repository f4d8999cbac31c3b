import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { accepted } from '../support/answers.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { readExposition } from '../support/exposition.ts';
import { onRamp } from '../support/payloads.ts';
import { until } from '../support/until.ts';
import { ask, processFixture } from './process-fixture.ts';

describe('a ledger whose threads die', () => {
  const ledger = processFixture();

  it('takes deliveries, says which are down wherever it is asked, and answers all again once they live', async () => {
    // A file of the ledger's own that is damaged: the threads that follow and answer die at their start.
    const readModels = ledger.inFolder('data', 'read-models.db');
    mkdirSync(ledger.inFolder('data'), { mode: 0o700 });
    writeFileSync(readModels, 'These are minutes of a meeting.\n'.repeat(1_000));
    const { url, out } = await ledger.serveHere(ledger.env());
    // Lines of the log are written in batches.
    const says = (line: string) => until(5_000, line, () => Promise.resolve(out().includes(line) ? true : null));
    accepted(await deliver(url, onRamp({ orderId: 'taken' })));
    const named = ['projections', 'queries', 'moments', 'orders', 'streams'];
    const ready = await until(20_000, 'the threads to be named', async () => {
      // Some begin with the first question for them.
      for (const path of [
        '/v1/orders?asOf=2023-03-02T00:00:00Z',
        '/v1/orders/taken',
        '/v1/exports/orders?format=csv',
      ]) {
        await ask(url, path);
      }
      const answer = await exchange(url, { path: '/readyz' });
      return named.every((thread) => answer.text.includes(thread)) ? answer : null;
    });
    expect(ready.status).to.equal(200);
    const page = readExposition((await exchange(url, { path: '/metrics' })).text);
    const works = (thread: string) => page.valueOf('ramp_ledger_thread_up', { thread });
    expect(named.map(works)).to.deep.equal(named.map(() => 0));
    await says('a thread is down');
    // The tree of the log needs no read models.
    accepted(await deliver(url, onRamp({ orderId: 'signed' })));
    await until(60_000, 'what came to be signed', async () => {
      const { text } = await exchange(url, { path: '/metrics' });
      return text.includes('\nramp_ledger_checkpoint_events 2\n') ? true : null;
    });
    expect((await exchange(url, { path: '/readyz' })).text).to.include('projections');
    expect(out().match(/"thread":"projections","problem"/g)).to.have.lengthOf(1);
    expect((await ask(url, '/v1/orders')).status).to.equal(503);
    rmSync(readModels);
    await until(60_000, 'lists to be there', async () => {
      const list = await ask(url, '/v1/orders');
      return list.status === 200 && list.text.includes('taken') ? list : null;
    });
    await until(15_000, 'nothing to be named', async () => {
      const answer = await exchange(url, { path: '/readyz' });
      return answer.text === '{"status":"ready"}' ? answer : null;
    });
    await says('a thread works again');
  }).timeout(120_000);
});
