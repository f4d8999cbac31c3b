import { readdirSync, rmSync } from 'node:fs';
import { expect } from 'chai';
import { accepted } from '../support/answers.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { readExposition } from '../support/exposition.ts';
import { onRamp } from '../support/payloads.ts';
import { until } from '../support/until.ts';
import { ask, processFixture } from './process-fixture.ts';

const REPORT = '/v1/reports/onramp?groupBy=day';
const MOMENT = '2023-03-02T00:00:00Z';

describe('read models that are taken from under a ledger', () => {
  const ledger = processFixture();

  for (const [what, isTaken] of [
    ['all of them', () => true],
    ['the generation alone', (name: string) => name.includes('.g')],
    ['the file that names it alone', (name: string) => !name.includes('.g')],
    ['the log of the generation alone', (name: string) => name.endsWith('.g1-wal')],
  ] as const) {
    it(`are built anew by themselves, and said to be, where ${what} went`, async () => {
      const { url, out } = await ledger.serveHere(ledger.env());
      const lists = (orderId: string): Promise<true> =>
        until(20_000, `${orderId} to be listed`, async () => {
          const [list, report, past] = await Promise.all([
            ask(url, '/v1/orders'),
            ask(url, REPORT),
            ask(url, `/v1/orders?asOf=${MOMENT}`),
          ]);
          expect(past.status, past.text).to.be.oneOf([200, 503]);
          return list.text.includes(orderId) && report.status === 200 && past.status === 200 ? true : null;
        });
      accepted(await deliver(url, onRamp({ orderId: 'before' })));
      await lists('before');
      const data = ledger.inFolder('data');
      for (const name of readdirSync(data).filter((one) => one.startsWith('read-models') && isTaken(one)))
        rmSync(`${data}/${name}`);
      await until(30_000, 'it to be said', () =>
        Promise.resolve(out().includes('the read models were taken away: they are built anew') ? true : null),
      );
      accepted(await deliver(url, onRamp({ orderId: 'behind' })));
      await lists('behind');
      await lists('before');
      const page = readExposition((await exchange(url, { path: '/metrics' })).text);
      expect(page.valueOf('ramp_ledger_ready', {})).to.equal(1);
      // Commands find by name what the ledger writes.
      const { status, out: listed } = await ledger.command(['orders', '--json'], ledger.env());
      expect(status).to.equal(0);
      expect(listed).to.include('before').and.include('behind');
    }).timeout(90_000);
  }
});
