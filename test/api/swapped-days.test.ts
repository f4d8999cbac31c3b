import { expect } from 'chai';
import * as t from 'io-ts';
import { API_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { right } from '../support/right.ts';

const Parameter = t.type({ name: t.string, in: t.string, schema: t.type({ type: t.string }) });
const Document = t.type({
  paths: t.record(t.string, t.record(t.string, t.type({ parameters: t.union([t.array(Parameter), t.undefined]) }))),
});

describe('days that are swapped', () => {
  let ledger: RunningLedger;
  before(async () => {
    ledger = await startLedger();
  });
  after(() => ledger.close());

  it('are refused wherever there are two, and never an empty answer', async () => {
    const document = right(Document.decode(await (await fetch(`${ledger.url}/openapi.json`)).json()));
    const paths = Object.entries(document.paths).filter(([, { get }]) => {
      const texts = (get?.parameters ?? []).filter((one) => one.in === 'query' && one.schema.type === 'string');
      return ['from', 'to'].every((name) => texts.some((one) => one.name === name));
    });
    expect(paths.map(([path]) => path)).to.include.members(['/v1/orders', '/v1/reconciliation/items', '/v1/audit']);
    for (const [path] of paths) {
      const swapped = await fetch(`${ledger.url}${path}?from=2026-11-20&to=2026-11-10`, {
        headers: { Authorization: `Bearer ${API_KEY}` },
      });
      expect(swapped.status, path).to.equal(400);
      expect(await swapped.json(), path).to.include({ code: 'invalid-parameter', detail: 'from: is later than to' });
    }
  });
});
