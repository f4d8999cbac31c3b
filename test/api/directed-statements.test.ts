import { expect } from 'chai';
import { writeXlsx } from 'hucre/xlsx';
import * as t from 'io-ts';
import { instantOf } from '../../src/domain/instant.ts';
import { bodyOf, offRamp, signatureOf } from '../support/payloads.ts';
import { API_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { right } from '../support/right.ts';

const NOW = instantOf(Date.parse('2026-04-30T12:00:00Z'));
const HEADERS = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' };

const Refusal = t.type({ code: t.string, line: t.number, field: t.string, detail: t.string });
const Imported = t.type({ lines: t.number, newLines: t.number, position: t.string });
const Profile = t.type({ direction: t.union([t.string, t.null]) });
const Items = t.strict({
  data: t.array(
    t.strict({
      state: t.string,
      rule: t.union([t.string, t.null]),
      lines: t.array(t.strict({ direction: t.string, amount: t.string })),
    }),
  ),
});

const PROFILE = {
  date: 'Date',
  dateFormat: 'dd/mm/yyyy',
  amount: 'Amount',
  currency: 'INR',
  reference: ['Ref'],
  text: ['Narration'],
};

/** The rows of a bank's table that paid an order out. */
const rowsOf = (utr: string): readonly (readonly string[])[] => [
  ['Date', 'Narration', 'Ref', 'Amount', 'Dr/Cr'],
  ['10/04/2026', 'NEFT payout', utr, '100.00', 'DR'],
];

describe('a bank’s table with a column of directions', () => {
  let ledger: RunningLedger;
  before(async () => {
    ledger = await startLedger({ now: () => NOW });
  });
  after(() => ledger.stop());

  const post = async (path: string, body: string | Buffer, headers: Record<string, string> = HEADERS) => {
    const response = await fetch(`${ledger.url}${path}`, { method: 'POST', headers, body });
    const answer: unknown = await response.json();
    return { status: response.status, answer };
  };

  const profile = async (name: string, over: object) =>
    post(`/v1/statements/profiles/${name}`, JSON.stringify({ ...PROFILE, ...over }));

  for (const format of ['csv', 'xlsx'] as const)
    it(`is refused where the profile does not read it, and paid its order out where it does, in ${format}`, async () => {
      const utr = `UTR-${format}`;
      const paid = bodyOf(
        offRamp({ orderId: format, status: 'PayoutSuccess', utr, fiat: 100, updated_at: '2026-04-10T10:00:00Z' }),
      );
      const delivered = await post('/v1/webhooks', paid, {
        'Content-Type': 'application/json',
        'X-Service-Signature': signatureOf(paid),
      });
      expect(delivered.status).to.equal(200);
      const rows = rowsOf(utr);
      const bytes =
        format === 'csv'
          ? Buffer.from(rows.map((cells) => cells.join(',')).join('\r\n'))
          : Buffer.from(await writeXlsx({ sheets: [{ name: 'S', rows: rows.map((cells) => [...cells]) }] }));
      const send = async (name: string) =>
        post(`/v1/statements?format=${format}&profile=${name}&account=${format}`, bytes, {
          ...HEADERS,
          'Content-Type': 'application/octet-stream',
        });

      expect(right(Profile.decode((await profile('plain', {})).answer)).direction).to.equal(null);
      const refused = await send('plain');
      expect(refused.status).to.equal(422);
      const { code, line, field, detail } = right(Refusal.decode(refused.answer));
      expect([code, line, field]).to.deep.equal(['statement-unreadable', 2, 'Dr/Cr']);
      expect(detail).to.include('name this column as direction in the profile');

      const directed = await profile('directed', { direction: 'Dr/Cr' });
      expect(right(Profile.decode(directed.answer)).direction).to.equal('Dr/Cr');
      const { answer } = await send('directed');
      const { lines, newLines, position } = right(Imported.decode(answer));
      expect([lines, newLines]).to.deep.equal([1, 1]);
      const path = `/v1/reconciliation/items?orderId=${format}&position=${position}`;
      const items = await fetch(`${ledger.url}${path}`, { headers: HEADERS });
      expect(right(Items.decode(await items.json())).data).to.deep.equal([
        { state: 'matched', rule: 'utr', lines: [{ direction: 'out', amount: '100.00' }] },
      ]);
    });

  it('has a profile with one amount, and no other', async () => {
    const both = { amount: { credit: 'In', debit: 'Out' }, direction: 'Dr/Cr' };
    const { status, answer } = await profile('both', both);
    expect(status).to.equal(400);
    expect(JSON.stringify(answer)).to.include('it stands beside credit and debit, which say the direction themselves');
  });
});
