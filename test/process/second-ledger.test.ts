import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { expect } from 'chai';
import { accepted } from '../support/answers.ts';
import { deliver } from '../support/exchange.ts';
import { onRamp } from '../support/payloads.ts';
import { ask, expectOneLine, processFixture } from './process-fixture.ts';

describe('a second ledger', () => {
  const ledger = processFixture();

  const firstGoesOn = async (url: string): Promise<void> => {
    expect(accepted(await deliver(url, onRamp())).outcome).to.equal('recorded');
  };

  it('is refused on the same data directory', async () => {
    const first = await ledger.serve(ledger.env());
    await firstGoesOn(first.url);
    const second = await ledger.run(['serve'], ledger.env({ PORT: '0' }));
    expectOneLine(second, 1, /DATA_DIR .*another ledger/);
    await firstGoesOn(first.url);
    first.signal('SIGKILL');
    await first.finished;
    await firstGoesOn((await ledger.serveHere(ledger.env())).url);
  });

  it('is refused on the same event-store file, also by another name of it', async () => {
    const file = ledger.inFolder('events.db');
    const first = await ledger.serve(ledger.env({ EVENT_STORE_URL: `sqlite:${file}` }));
    const link = ledger.inFolder('link.db');
    symlinkSync(file, link);
    for (const name of [file, ledger.inFolder('data', '..', 'events.db'), link]) {
      const env = { DATA_DIR: ledger.inFolder('other'), EVENT_STORE_URL: `sqlite:${name}`, PORT: '0' };
      expectOneLine(await ledger.command(['serve'], ledger.env(env)), 1, /EVENT_STORE_URL .*another ledger/);
    }
    await firstGoesOn(first.url);
  });

  it('may have a data directory and a file of its own', async () => {
    const first = await ledger.serve(ledger.env());
    const second = await ledger.serveHere(ledger.env({ DATA_DIR: ledger.inFolder('other') }));
    await firstGoesOn(first.url);
    await firstGoesOn(second.url);
  });

  it('is refused on a second name of the file, and so is the first, until a backup gives one of them a file of its own', async () => {
    const first = await ledger.serve(ledger.env());
    await firstGoesOn(first.url);
    mkdirSync(ledger.inFolder('other'), { mode: 0o700 });
    linkSync(ledger.inFolder('data', 'events.db'), ledger.inFolder('other', 'events.db'));
    const other = ledger.env({ DATA_DIR: ledger.inFolder('other'), PORT: '0' });
    const refused = /: EVENT_STORE_URL: .*events\.db has 2 names .*ramp-ledger backup/;
    expectOneLine(await ledger.run(['serve'], other), 2, refused);
    await firstGoesOn(first.url);
    first.signal('SIGTERM');
    await first.finished;
    expectOneLine(await ledger.run(['serve'], ledger.env({ PORT: '0' })), 2, refused);
    const [copy, env] = [ledger.inFolder('copy.db'), ledger.env()];
    expect(await ledger.command(['backup', '--out', copy], env)).to.include({ status: 0 });
    expect(await ledger.command(['restore', copy, '--set-aside'], env)).to.include({ status: 0 });
    const { url } = await ledger.serveHere(env);
    await firstGoesOn(url);
    expect((await ask(url, '/v1/orders')).text.match(/orderId/g)).to.have.length(3);
  }).timeout(60_000);
});
