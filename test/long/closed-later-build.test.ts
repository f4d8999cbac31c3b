import { expect } from 'chai';
import { at } from '../support/naive-json.ts';
import { deliver } from '../support/exchange.ts';
import { offRamp, onRamp } from '../support/payloads.ts';
import { ask, processFixture } from '../process/process-fixture.ts';

const MARCH = '2026-03-05T06:31:08Z';

const DELIVERIES = [
  onRamp({ orderId: 'on-1', createdAt: MARCH, status: 'completed', fiat: 100.25 }),
  onRamp({ orderId: 'on-2', createdAt: MARCH, status: 'fiatPending', fiat: 7 }),
  offRamp({ orderId: 'off-1', created_at: MARCH, updated_at: MARCH, status: 'PayoutSuccess', utr: 'U1' }),
];

const CLOSED = ['onramp', 'offramp'].flatMap((flow) =>
  ['created', 'settled'].flatMap((basis) =>
    ['', '&groupBy=day,token,chain', '&groupBy=month&format=csv'].map(
      (rest) => `/v1/reports/${flow}?period=2026-03&basis=${basis}${rest}`,
    ),
  ),
);

/** A program of tomorrow: another version of the projections, to which no completed on-ramp order is settled. */
const LATER_BUILD = `import { registerHooks } from 'node:module';
  const changes = [
    ['/src/read-models/projection-version.ts', /PROJECTION_VERSION = (\\d+)/, 'PROJECTION_VERSION = 1000$1'],
    ['/src/domain/status.ts', "onramp: { completed: 'settled'", "onramp: { completed: 'open'"],
  ];
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context);
      const change = changes.find(([file]) => url.endsWith(file));
      if (change === undefined) return loaded;
      const source = String(loaded.source).replace(change[1], change[2]);
      if (source === String(loaded.source)) throw new Error(url + ' has changed: change it here otherwise');
      return { ...loaded, source };
    },
  });`;

describe('a closed month, after an update to projections that read its events otherwise', () => {
  const ledger = processFixture();

  it('answers the same bytes; what they read otherwise is shown as adjusted', async () => {
    const env = ledger.env({ LOG_LEVEL: 'fatal' });
    const before = await ledger.serve(env);
    for (const payload of DELIVERIES) await deliver(before.url, payload);
    const closed = await ledger.command('period close 2026-03 --despite clock-anomalies'.split(' '), env);
    expect(closed.status, closed.err).to.equal(0);
    const answers = async (url: string): Promise<readonly string[]> => {
      const texts: string[] = [];
      for (const path of CLOSED) texts.push((await ask(url, path)).text);
      return texts;
    };
    const period = async (url: string): Promise<unknown> => JSON.parse((await ask(url, '/v1/periods/2026-03')).text);
    const [fixed, was] = [await answers(before.url), await period(before.url)];
    expect(at(was, 'adjusted')).to.equal(false);
    before.signal('SIGTERM');
    await before.finished;

    const preload = `--import data:text/javascript,${encodeURIComponent(LATER_BUILD)}`;
    const later = await ledger.serve({ ...env, NODE_OPTIONS: preload });
    expect(await answers(later.url)).to.deep.equal(fixed);
    const is = await period(later.url);
    expect([at(is, 'reports'), at(is, 'adjusted')]).to.deep.equal([at(was, 'reports'), true]);
    const settled = at(JSON.parse((await ask(later.url, '/v1/reports/onramp')).text), 'totals', '0', 'fiat', 'settled');
    expect(settled).to.equal('0');
    const replayed = await ledger.run(['replay'], { ...env, NODE_OPTIONS: preload });
    expect(replayed.status, replayed.err).to.equal(0);
    expect(await answers(later.url)).to.deep.equal(fixed);
    later.signal('SIGTERM');
    await later.finished;
  }).timeout(60_000);
});
