import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { deliver } from '../support/exchange.ts';
import { at } from '../support/naive-json.ts';
import { offRamp } from '../support/payloads.ts';
import { ask, expectOneLine, FULL_KEY, processFixture } from './process-fixture.ts';

const PROFILE = {
  date: 'Date',
  dateFormat: 'dd/mm/yyyy',
  amount: 'Amount',
  currency: 'INR',
  reference: ['Ref'],
  text: ['Narration'],
};
const HEADER = 'Date,Narration,Ref,Amount';
const PAID = '18/11/2024,payout,UTR-1,-50.25';
const UNKNOWN = '19/11/2024,rent,,-7.00';
const HASH = `0x${'ab'.repeat(32)}`;
const TRANSFER = {
  chainId: 137,
  txnHash: HASH,
  block: 7,
  confirmations: 12,
  status: 'success',
  token: '0xdac17f958d2ee523a2206206994597c13d831ec7',
  from: `0x${'1'.repeat(40)}`,
  to: `0x${'2'.repeat(40)}`,
  baseUnits: '5',
};

describe('statement, transfers and reconcile', () => {
  const ledger = processFixture();
  const printed = async (...args: readonly string[]): Promise<unknown> => {
    const { status, out, err } = await ledger.command([...args, '--json'], ledger.env());
    expect({ status, err }, args.join(' ')).to.deep.equal({ status: 0, err: '' });
    return JSON.parse(out);
  };
  const fileOf = (name: string, ...lines: readonly string[]): string => {
    const file = ledger.inFolder(name);
    writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  };

  it('take files where the ledger does not serve, and answer as the interface does where it does', async () => {
    const [profile, bank, chain] = [
      fileOf('bank.json', JSON.stringify(PROFILE)),
      fileOf('march.csv', HEADER, PAID),
      fileOf('chain.ndjson', JSON.stringify(TRANSFER)),
    ];
    const importBank = ['statement', 'import', bank, '--profile', 'bank', '--account', 'ACC-1'];
    const first = await ledger.serveHere(ledger.env());
    await deliver(
      first.url,
      offRamp({
        orderId: 'paid',
        status: 'PayoutSuccess',
        utr: 'UTR-1',
        fiat: 50.25,
        updated_at: '2024-11-18T10:00:00Z',
      }),
    );
    await first.stop();

    expect(at(await printed('statement', 'profile', 'bank', profile), 'name')).to.equal('bank');
    const imported = await printed(...importBank);
    expect(imported).to.include({ account: 'ACC-1', lines: 1, newLines: 1, duplicateLines: 0, name: 'march.csv' });
    expect((await ledger.command(['reconcile'], ledger.env())).status, 'all is matched').to.equal(0);
    expect(await printed('transfers', 'import', chain)).to.include({ transfers: 1, newTransfers: 1 });
    const unmatched = await ledger.command(['reconcile'], ledger.env());
    expect(unmatched.status, 'a transfer that no order knows').to.equal(1);
    expect(unmatched.out).to.match(/matched .*\n.*unmatched-transfer/);
    const swapped = await ledger.command(['reconcile', '--from', '2026-03-31', '--to', '2026-03-01'], ledger.env());
    expectOneLine(swapped, 2, /--from is later than --to/);

    const { url } = await ledger.serveHere(ledger.env());
    const asked = async (path: string): Promise<unknown> => JSON.parse((await ask(url, path, FULL_KEY)).text);
    expect(await printed(...importBank)).to.deep.equal(imported);
    expect(await printed('transfers', 'import', chain)).to.include({ transfers: 1, newTransfers: 0 });
    const overlapping = fileOf('april.csv', HEADER, PAID, UNKNOWN);
    expect(await printed('statement', 'import', overlapping, '--profile', 'bank', '--account', 'ACC-1')).to.include({
      lines: 2,
      newLines: 1,
      duplicateLines: 1,
    });
    expect(await printed('statement', 'list')).to.deep.equal(await asked('/v1/statements'));
    const id = String(at(imported, 'statementId'));
    expect(await printed('statement', 'lines', id, '--pii')).to.deep.equal(await asked(`/v1/statements/${id}/lines`));
    const summed = await ledger.command(['reconcile', '--flow', 'offramp', '--json'], ledger.env());
    const shown: unknown = await asked('/v1/reconciliation?flow=offramp');
    expect([summed.status, at(JSON.parse(summed.out), 'rows')]).to.deep.equal([0, at(shown, 'rows')]);
  }).timeout(30_000);

  it('take a bank file and say what is left of a month, beside deliveries that never pause', async () => {
    const bank = fileOf('bank.json', JSON.stringify(PROFILE));
    const { url } = await ledger.serveHere(ledger.env());
    const ended = new AbortController();
    const delivering = (async () => {
      for (let n = 0; !ended.signal.aborted; n += 1) await deliver(url, offRamp({ orderId: `order-${n}` }));
    })();
    try {
      await printed('statement', 'profile', 'bank', bank);
      const table = ['--profile', 'bank', '--account', 'ACC-1'];
      for (const [name, ...lines] of [
        ['march.csv', HEADER, PAID],
        ['april.csv', HEADER, PAID, UNKNOWN],
      ] as const)
        expect(await printed('statement', 'import', fileOf(name, ...lines), ...table)).to.include({ newLines: 1 });
      const left = await ledger.command(['period', 'show', '2024-11'], ledger.env());
      expect(left.out).to.match(/^ok +read-models/m);
    } finally {
      ended.abort();
      await delivering;
    }
  }).timeout(60_000);

  it('refuse with one line what cannot be read, and take nothing of it', async () => {
    const profile = fileOf('bank.json', JSON.stringify(PROFILE));
    await (async () => {
      const { stop } = await ledger.serveHere(ledger.env());
      await stop();
    })();
    await printed('statement', 'profile', 'bank', profile);
    const bad = fileOf('bad.csv', HEADER, PAID, '20/11/2024,x,,-1x');
    const refused = (...args: readonly string[]) => ledger.command(args, ledger.env());
    const table = ['--profile', 'bank', '--account', 'ACC-1'];
    expectOneLine(await refused('statement', 'import', bad, ...table), 1, /line 3, Amount/);
    expectOneLine(await refused('statement', 'import', `${bad}.gone`, ...table), 1, /is not there|ENOENT|no such/);
    expectOneLine(await refused('statement', 'import', bad, '--profile', 'other'), 2, /profile/);
    expectOneLine(await refused('statement', 'import', bad, '--format', 'pdf'), 2, /format/);
    expectOneLine(await refused('transfers', 'import', fileOf('bad.ndjson', '{"chainId":1}')), 1, /line 1/);
    expect(at(await printed('statement', 'list'), 'data')).to.deep.equal([]);
  }).timeout(20_000);
});
