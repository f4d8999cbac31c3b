import { expect } from 'chai';
import type { JsonObject } from '../../src/domain/json.ts';
import type { Recorded } from '../../src/ledger/recorded.ts';
import { bothFlows, parseBothFlows } from '../../src/queries/reports/both-flows.ts';
import { bytesOf, expectRefused, expectScopes } from '../support/asking.ts';
import { bodyOf, offRamp, onRamp } from '../support/payloads.ts';
import { deliverUnaware } from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';
import { routeDependencies } from '../support/route-dependencies.ts';
import { serveApi, type ServedApi } from '../support/serve-api.ts';
import { readXlsxSheets } from '../support/workbook-cells.ts';
import { reportedOrders } from './reported-orders.ts';

const ON = '/v1/reports/onramp';
const OFF = '/v1/reports/offramp';
const BOTH = '/v1/reports/workbook';
const SCOPE = 'reports:read';

describe('the workbook of both flows', () => {
  let api: ServedApi;

  beforeEach(async () => {
    api = await serveApi();
  });
  afterEach(() => api.close());

  const give = (payload: JsonObject): Promise<Recorded> => deliverUnaware(api.store, bodyOf(payload));
  const sheets = async (path: string) => readXlsxSheets(await bytesOf(api, path, SCOPE));

  it('holds the sheets of either, of one position', async () => {
    for (const order of reportedOrders()) await give(order);
    await give(offRamp({ orderId: 'e', status: 'PayoutSuccess', fiat: 9.5 }));
    const both = await sheets(`${BOTH}?groupBy=day`);
    expect([...both.keys()]).to.deep.equal(['On-ramp', 'On-ramp tokens', 'Off-ramp', 'Off-ramp tokens', 'About']);
    for (const [path, name] of [
      [ON, 'On-ramp'],
      [OFF, 'Off-ramp'],
    ] as const) {
      const alone = await sheets(`${path}?groupBy=day&format=xlsx`);
      expect(both.get(name)).to.deep.equal(alone.get('Report'));
      expect(both.get(`${name} tokens`)).to.deep.equal(alone.get('Tokens'));
      const digest = (alone.get('About') ?? []).find(([label]) => label === 'SHA-256 of the report')?.[1];
      expect(both.get('About')).to.deep.include([`SHA-256, ${name.toLowerCase()} report`, digest]);
    }
  });

  it('is of one position too where the first event of all is recorded between the two', async () => {
    const { report } = api.readModels;
    const seen: (string | null)[] = [];
    const deps = routeDependencies({
      store: api.store,
      readModels: {
        ...api.readModels,
        report: (question) => async () => {
          if (seen.length === 1) await give(offRamp({ orderId: 'first' }));
          const answer = await report(question)();
          seen.push(right(answer).asOf?.position ?? null);
          return answer;
        },
      },
    });
    const NOTHING = { from: null, to: null, basis: null, groupBy: null, asOf: null, currency: null, position: null };
    right(await bothFlows(deps, 'masked')(right(await parseBothFlows(deps)(NOTHING)()))());
    expect(seen).to.have.length(4);
    expect([seen[0], seen[2]]).to.deep.equal([null, seen[3]]);
  });

  it('is of both as of where the first was read, whatever is recorded meanwhile', async () => {
    await give(onRamp({ orderId: 'a', fiat: 7 }));
    const { report } = api.readModels;
    let isLate = false;
    const deps = routeDependencies({
      store: api.store,
      readModels: {
        ...api.readModels,
        report: (question) => async () => {
          if (question.flow === 'offramp' && !isLate) await give(offRamp({ orderId: 'late' }));
          isLate ||= question.flow === 'offramp';
          return report(question)();
        },
      },
    });
    const NOTHING = { from: null, to: null, basis: null, groupBy: null, asOf: null, currency: null, position: null };
    const asked = right(await parseBothFlows(deps)(NOTHING)());
    const { xlsx } = right(await bothFlows(deps, 'masked')(asked)());
    const both = await readXlsxSheets(xlsx);
    expect(isLate).to.equal(true);
    expect(both.get('On-ramp')).to.have.lengthOf(2);
    expect(both.get('Off-ramp')).to.have.lengthOf(1);
  });

  it('takes the parameters of a report but its form and a month, and its scope', async () => {
    await expectScopes(api, BOTH, ['admin', 'orders:read', 'audit:read', 'pii:read']);
    await expectRefused(api, SCOPE, [
      [BOTH, 'format', ['xlsx']],
      [BOTH, 'period', ['2026-03']],
      [BOTH, 'groupBy', ['bogus']],
    ]);
  });
});
