import { closeSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { expect } from 'chai';
import { accepted } from '../support/answers.ts';
import { deliver } from '../support/exchange.ts';
import { onRamp } from '../support/payloads.ts';
import { until } from '../support/until.ts';
import { ask, processFixture } from './process-fixture.ts';

const PAGE = 4_096;

const spoil = (file: string): void => {
  const fd = openSync(file, 'r+');
  for (let at = PAGE; at < statSync(file).size; at += PAGE) writeSync(fd, Buffer.alloc(PAGE, 0xaa), 0, PAGE, at);
  closeSync(fd);
};

describe('read models of which pages are damaged', () => {
  const ledger = processFixture();

  it('are built anew by whoever meets it, a question or what follows the log, and said to be', async () => {
    const first = await ledger.serveHere(ledger.env());
    for (let at = 0; at < 300; at += 1) accepted(await deliver(first.url, onRamp({ orderId: `before-${at}` })));
    const lists = (url: string, text: string): Promise<true> =>
      until(20_000, `${text} to be listed`, async () => {
        const { status, text: listed } = await ask(url, `/v1/orders/${text}`);
        const list = await ask(url, '/v1/orders?limit=500');
        return status === 200 && listed.includes(text) && list.text.includes(text) ? true : null;
      });
    await lists(first.url, 'before-299');
    const generation = (): string => {
      const name = readdirSync(ledger.inFolder('data')).find((one) => /^read-models\.db\.g\d+$/.test(one));
      return `${ledger.inFolder('data')}/${name ?? expect.fail('a generation')}`;
    };
    // What is in the write-ahead log is not read from the pages.
    const told = (times: number): Promise<true> =>
      until(20_000, 'it to be said', async () => {
        await ask(first.url, '/v1/orders?limit=500');
        const behindEach = first.out().split('the read models were taken away: they are built anew');
        // What is spoiled before the new ones serve is nothing that anybody reads.
        return behindEach.length - 1 === times && (behindEach.at(-1) ?? '').includes('read models serve') ? true : null;
      });
    rmSync(`${generation()}-wal`);
    await told(1);
    await lists(first.url, 'before-299');
    spoil(generation());
    // Pages that are in memory are read anew behind a commit.
    accepted(await deliver(first.url, onRamp({ orderId: 'behind' })));
    await told(2);
    await lists(first.url, 'behind');
    await lists(first.url, 'before-299');
  }).timeout(90_000);
});
