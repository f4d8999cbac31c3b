import { expect } from 'chai';
import { branded } from '../../src/domain/brand.ts';
import type { Instant } from '../../src/domain/instant.ts';
import { deliver } from '../support/exchange.ts';
import { at } from '../support/naive-json.ts';
import { bodyOf, offRamp } from '../support/payloads.ts';
import { API_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** In March in New York, in April in Kolkata. */
const BEHIND_MARCH = '2026-03-31T20:00:00.000Z';
/** In February in New York, in March in Kolkata. */
const BEHIND_FEBRUARY = '2026-02-28T20:00:00.000Z';

const STATEMENT = [
  ':20:X',
  ':25:12345678',
  ':28C:1/1',
  ':60F:C260228INR1000,',
  ':61:2603310331C5,NTRFNONREF',
  ':86:interest',
  ':61:2604300430C7,NTRFNONREF',
  ':86:interest',
  ':62F:C260430INR1012,',
  '-',
  '',
].join('\r\n');

describe('what is left to do in a month beside one that was closed in another zone', () => {
  const folder = temporaryFolder();
  let ledger: RunningLedger;

  const start = async (zone: string): Promise<void> => {
    ledger = await startLedger({
      now: () => branded<Instant>('2026-05-09T10:00:00.000Z'),
      env: { DATA_DIR: folder.path, BUSINESS_TIME_ZONE: zone },
    });
  };
  after(async () => {
    await ledger.close();
    folder.remove();
  });

  const ask = async (path: string, body?: string): Promise<unknown> => {
    const response = await fetch(`${ledger.url}${path}`, {
      headers: { Authorization: `Bearer ${API_KEY}` },
      ...(body === undefined ? {} : { method: 'POST', body }),
    });
    const text = await response.text();
    expect(response.status, text).to.equal(200);
    return JSON.parse(text);
  };
  const leftIn = async (month: string): Promise<readonly unknown[]> => {
    const checks: unknown = at(await ask(`/v1/periods/${month}/readiness`), 'checks');
    return ['clock-anomalies', 'match'].map((name) =>
      at(Array.isArray(checks) ? checks.find((check) => at(check, 'name') === name) : null, 'count'),
    );
  };
  const give = async (status: string, when: string, utr: string): Promise<void> => {
    const order = { orderId: `${status}-${utr}`, status, created_at: when, updated_at: when };
    await deliver(ledger.url, bodyOf(offRamp(status === 'PayoutSuccess' ? { ...order, utr } : order)));
  };

  it('is what its report has: no order is in the month before or behind, and none in neither', async () => {
    await start('Asia/Kolkata');
    await give('PayoutSuccess', '2026-02-10T00:00:00.000Z', 'U8');
    await give('PayoutSuccess', '2026-03-10T00:00:00.000Z', 'U9');
    await ask('/v1/periods/2026-03/close', JSON.stringify({ note: 'n', despite: ['earlier-closed', 'quarantine'] }));
    await ledger.stop();
    await start('America/New_York');
    await ask('/v1/statements', STATEMENT);
    expect(await Promise.all(['2026-02', '2026-03', '2026-04'].map(leftIn))).to.deep.equal([
      [0, 1],
      [0, 2],
      [0, 1],
    ]);
    for (const [when, utr] of [
      [BEHIND_MARCH, 'U1'],
      [BEHIND_FEBRUARY, 'U2'],
      [BEHIND_FEBRUARY, 'U3'],
    ] as const) {
      await give('PayoutSuccess', when, utr);
      await give('fiatDeemed', when, utr);
    }
    const [february, march, april] = await Promise.all(['2026-02', '2026-03', '2026-04'].map(leftIn));
    expect({ february, march, april }).to.deep.equal({ february: [0, 1], march: [2, 4], april: [1, 2] });
    const reported = async (month: string): Promise<unknown> =>
      at(await ask(`/v1/reports/offramp?period=${month}`), 'totals', '0', 'orders');
    expect(await Promise.all(['2026-02', '2026-04'].map(reported))).to.deep.equal([1, 2]);
  });
});
