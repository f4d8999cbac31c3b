import { existsSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { accepted } from '../support/answers.ts';
import { statementOf } from '../support/bank-imports.ts';
import { deliver } from '../support/exchange.ts';
import { at } from '../support/naive-json.ts';
import { onRamp } from '../support/payloads.ts';
import { ask, expectOneLine, processFixture } from './process-fixture.ts';

const TRANSFER = {
  chainId: 137,
  txnHash: `0x${'ab'.repeat(32)}`,
  block: 7,
  confirmations: 12,
  status: 'success',
  token: '0xdac17f958d2ee523a2206206994597c13d831ec7',
  from: `0x${'1'.repeat(40)}`,
  to: `0x${'2'.repeat(40)}`,
  baseUnits: '5',
};

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

  it('hears from doctor that its start would be refused, and from commands that write why they do not, before anything is kept', async () => {
    const file = ledger.inFolder('events.db');
    const first = await ledger.serve(ledger.env({ EVENT_STORE_URL: `sqlite:${file}` }));
    await firstGoesOn(first.url);
    const other = ledger.env({ DATA_DIR: ledger.inFolder('other'), EVENT_STORE_URL: `sqlite:${file}`, PORT: '0' });
    mkdirSync(ledger.inFolder('other'), { mode: 0o700 });
    const bank = ledger.inFolder('bank.sta');
    writeFileSync(bank, statementOf());
    const said =
      /^ramp-ledger: EVENT_STORE_URL sqlite:\S+events\.db is in use by another ledger; stop that one, or give this one its own\n$/;
    expectOneLine(await ledger.command(['statement', 'import', bank], other), 1, said);
    expect(existsSync(ledger.inFolder('other', 'statements'))).to.equal(false);
    const transfers = ledger.inFolder('transfers.ndjson');
    writeFileSync(transfers, `${JSON.stringify(TRANSFER)}\n`);
    expectOneLine(await ledger.command(['transfers', 'import', transfers], other), 1, said);

    const found = await ledger.command(['doctor', '--json'], other);
    expect(found).to.include({ status: 1 });
    const checks: unknown = at(JSON.parse(found.out), 'checks');
    const wrong = Array.isArray(checks) ? checks.filter((check: unknown) => at(check, 'ok') === false) : [];
    expect(wrong).to.have.lengthOf(1);
    expect(wrong[0]).to.include({ name: 'event store', cure: 'stop that one, or give this one its own' });
    first.signal('SIGTERM');
    await first.finished;
    expect(await ledger.command(['doctor'], other)).to.include({ status: 0 });
    expect(await ledger.command(['statement', 'import', bank], other)).to.include({ status: 0 });
  }).timeout(60_000);

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
