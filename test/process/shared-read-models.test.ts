import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { accepted } from '../support/answers.ts';
import { deliver } from '../support/exchange.ts';
import { at } from '../support/naive-json.ts';
import { onRamp } from '../support/payloads.ts';
import { until } from '../support/until.ts';
import { ask, expectOneLine, processFixture } from './process-fixture.ts';

const REFUSED = /^[^\n]*READ_MODEL_URL sqlite:\S+read-models\.db is in use by another ledger; .*its own\n$/;
const REPORT = '/v1/reports/onramp?groupBy=day';
const REBUILT = 'made from another log than this one';

const FIRST = ['first-1', 'first-2', 'first-3'];
const SECOND = ['second-1', 'second-2'];

const idsOf = (text: string): readonly string[] => (text.match(/(?:first|second)-\d/g) ?? []).toSorted();

describe('read models that two ledgers are given', () => {
  const ledger = processFixture();
  const shared = (): string => ledger.inFolder('data', 'read-models.db');
  const secondOwn = () => ledger.env({ DATA_DIR: ledger.inFolder('other') });
  const second = () => ledger.env({ DATA_DIR: ledger.inFolder('other'), READ_MODEL_URL: `sqlite:${shared()}` });

  const deliverAll = async (url: string, orderIds: readonly string[]): Promise<string> => {
    let last = '';
    for (const orderId of orderIds) last = accepted(await deliver(url, onRamp({ orderId }))).position;
    return last;
  };

  const listed = (url: string, orderIds: readonly string[]): Promise<true> =>
    until(20_000, 'all orders to be listed', async () => {
      const { status, text } = await ask(url, '/v1/orders');
      return status === 200 && idsOf(text).join() === orderIds.join() ? true : null;
    });

  it('are refused to the second one and to its commands while the first serves; those of the first go on', async () => {
    const other = await ledger.serve(secondOwn());
    await deliverAll(other.url, SECOND);
    other.signal('SIGTERM');
    await other.finished;
    const first = await ledger.serve(ledger.env());
    await deliverAll(first.url, FIRST);
    await listed(first.url, FIRST);

    expectOneLine(await ledger.run(['serve'], { ...second(), PORT: '0' }), 1, REFUSED);
    for (const command of [['orders', '--json'], ['report', 'onramp', '--json'], ['replay']])
      expectOneLine(await ledger.run(command, second()), 1, REFUSED);
    const copy = ledger.inFolder('copy.db');
    expect(await ledger.run(['backup', '--out', copy], secondOwn())).to.include({ status: 0 });
    expectOneLine(await ledger.run(['restore', copy, '--set-aside'], second()), 1, REFUSED);
    const doctor = await ledger.run(['doctor', '--json'], second());
    expect(doctor.out).to.match(/READ_MODEL_URL names is used by another ledger/);
    expect(doctor.out).to.include('set READ_MODEL_URL to a file of its own for each ledger');

    for (const command of [['orders', '--json'], ['replay'], ['orders', '--json']]) {
      const { status, err, out } = await ledger.run(command, ledger.env());
      expect(status, err).to.equal(0);
      if (command[0] === 'orders') expect(idsOf(out)).to.deep.equal(FIRST);
    }
    await listed(first.url, FIRST);

    first.signal('SIGKILL');
    await first.finished;
    const next = await ledger.serve(second());
    await listed(next.url, SECOND);
  }).timeout(120_000);

  it('are answered from by neither with what the other has, also where nothing keeps them apart', async () => {
    const first = await ledger.serveHere(ledger.env());
    const endOfFirst = await deliverAll(first.url, FIRST);
    await listed(first.url, FIRST);
    rmSync(`${shared()}.lock`, { force: true });
    const other = await ledger.serve(second());
    const endOfSecond = await deliverAll(other.url, SECOND);

    const asked = async (url: string, own: readonly string[], end: string): Promise<void> => {
      const paths = ['/v1/orders', `/v1/orders?asOf=${end}`, '/v1/exports/orders', REPORT];
      const answers = await Promise.all(paths.map((path) => ask(url, path)));
      for (const [i, { status, text }] of answers.entries()) {
        expect(status, text).to.be.oneOf([200, 503]);
        if (status === 503) continue;
        if (paths[i] === REPORT) {
          const orders = at(JSON.parse(text), 'totals', '0', 'orders');
          expect(orders === undefined ? 0 : Number(orders), text).to.be.at.most(own.length);
          if (own === SECOND) continue;
          expect(orders, text).to.equal(own.length);
        } else for (const id of idsOf(text)) expect(own, `${paths[i] ?? ''} of ${url}`).to.include(id);
      }
    };
    await until(60_000, 'each to have built the other away some times', async () => {
      await Promise.all([asked(first.url, FIRST, endOfFirst), asked(other.url, SECOND, endOfSecond)]);
      return first.out().split(REBUILT).length > 2 ? true : null;
    });
  }).timeout(120_000);
});
