import { expect } from 'chai';
import { attention, type Attention } from '../../../src/console/overview/attention.ts';
import { pageText } from '../../../src/console/html.ts';
import { orderTallies } from '../../../src/read-models/order-tallies.ts';
import { branded } from '../../../src/domain/brand.ts';
import type { Decimal } from '../../../src/domain/decimal.ts';
import type { Month } from '../../../src/domain/month.ts';
import { offRamp } from '../../support/payloads.ts';
import { consoleScene, type ConsoleScene } from '../console-scene.ts';
import { keyText, type KeyName } from '../console-keys.ts';

const WELL: Attention = {
  refused: false,
  anomalies: orderTallies([]).anomalies,
  quarantined: 0,
  open: { items: 0, shares: [] },
  months: [],
};
const NOTHING_ALLOWED: Attention = { refused: false, anomalies: null, quarantined: null, open: null, months: null };

const plain = (markup: string): string =>
  markup
    .replaceAll(/<[^>]+>|\s+/g, ' ')
    .replaceAll(/ +/g, ' ')
    .replaceAll(/ (?=[.,:])/g, '')
    .trim();

const said = async (found: Attention): Promise<string> => {
  const section = attention(found, (text) => text);
  return section === null ? '' : plain(await pageText(section));
};

describe('what needs attention', () => {
  it('is nothing only where deliveries are accepted, and neither bank, months, quarantine nor orders want for anything', async () => {
    expect(await said(WELL)).to.equal(
      'Needs attention Nothing: deliveries are accepted, nothing is open at bank or chain, no month waits to be closed, quarantine is empty, no order has an anomaly.',
    );
    const wanting: readonly Partial<Attention>[] = [
      { refused: true },
      { open: { items: 2, shares: [{ currency: 'INR', items: 2, fiat: branded<Decimal>('75750.5') }] } },
      { months: [branded<Month>('2026-10')] },
      { quarantined: 1 },
    ];
    for (const one of wanting) expect(await said({ ...WELL, ...one })).to.not.include('Nothing:');
  });

  it('is first of all that deliveries are refused, for whoever looks', async () => {
    for (const found of [WELL, NOTHING_ALLOWED, { ...WELL, quarantined: 3 }])
      expect(await said({ ...found, refused: true })).to.match(/^Needs attention ! Deliveries are refused now/);
    expect(await said(NOTHING_ALLOWED)).to.equal('');
  });

  describe('at the bank', () => {
    let scene: ConsoleScene;
    before(async () => {
      scene = await consoleScene();
      const then = '2026-01-10T08:00:00Z';
      const facts = { created_at: then, updated_at: then, currency: 'INR', status: 'PayoutSuccess' };
      await scene.deliver([
        [offRamp({ ...facts, orderId: 'unpaid-1', utr: 'UTR1', fiat: 100.5 })],
        [offRamp({ ...facts, orderId: 'unpaid-2', utr: 'UTR2', fiat: 1.25 })],
      ]);
    });
    after(() => scene.close());

    const seenBy = async (key: KeyName): Promise<string> => plain((await scene.ask('/', key)).text);

    it('is what the bank lacks, with what it comes to, and the month that is over and open, for whom reports are for', async () => {
      for (const key of ['full', 'reports'] as const)
        expect(await seenBy(key))
          .to.include('2 Open at bank or chain Without a match, with several that fit, or not agreeing: 101.75 INR.')
          .and.to.include('1 Months to close January 2026 is over and not closed: its figures still change.');
      expect(await seenBy('orders')).to.not.match(/at bank or chain|months? to close/i);
      const { text } = await scene.ask('/', 'full');
      expect(text).to.include('href="/console/reconciliation"').and.to.include('href="/console/periods/2026-01"');
    });

    it('is no month that is closed', async () => {
      const response = await fetch(`${scene.url}/v1/periods/2026-01/close`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${keyText('full')}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ note: 'closed over it', despite: ['match', 'clock-anomalies', 'earlier-closed'] }),
      });
      expect(response.status, await response.text()).to.equal(200);
      expect(await seenBy('full')).to.match(/None: Months to close/);
    });
  });
});
