import { expect } from 'chai';
import { ordersBehind, type AskedOf, type CellOf, type RowOf } from '../../../src/console/reports/row-orders.ts';
import { branded } from '../../../src/domain/brand.ts';
import type { BusinessDay } from '../../../src/domain/business-day.ts';

const QUESTION: AskedOf = {
  flow: 'offramp',
  basis: 'settled',
  from: branded<BusinessDay>('2024-02-10'),
  to: branded<BusinessDay>('2024-03-20'),
};

const asked = (personal: 'shown' | 'masked', ...scopes: readonly string[]) => ({
  session: { key: { id: 'k', sha256: '', scopes: new Set(scopes) }, nonce: '', expiresAt: 0 },
  personal,
});

const filters = (row: RowOf, cell?: CellOf): Readonly<Record<string, string>> => {
  const href = ordersBehind(QUESTION, asked('shown', 'orders:read'))(row, cell) ?? '';
  expect(href).to.match(/^\/console\/orders\?/);
  return Object.fromEntries(new URLSearchParams(href.slice(href.indexOf('?'))));
};

describe('the orders behind a figure', () => {
  it('are listed by what its row and its column are of', () => {
    const common = { flow: 'offramp', basis: 'settled' };
    expect(filters({ currency: 'INR', day: '2024-02-29' }, { phase: 'settled' })).to.deep.equal({
      ...common,
      currency: 'INR',
      from: '2024-02-29',
      to: '2024-02-29',
      phase: 'settled',
    });
    expect(filters({}, { status: 'fiatDeemed' })).to.deep.equal({
      ...common,
      from: '2024-02-10',
      to: '2024-03-20',
      status: 'fiatDeemed',
    });
  });

  it('are of those days of a month that the report is of', () => {
    expect(filters({ month: '2024-02' })).to.include({ from: '2024-02-10', to: '2024-02-29' });
    expect(filters({ month: '2024-03' })).to.include({ from: '2024-03-01', to: '2024-03-20' });
  });

  it('are no link for those who may not list orders', () => {
    expect(ordersBehind(QUESTION, asked('shown', 'reports:read', 'admin'))({ currency: 'INR' })).to.equal(null);
  });

  it('bring no e-mail address into the URL of somebody who may not see it', () => {
    const email = 'asha@example.com';
    const masked = ordersBehind(QUESTION, asked('masked', 'orders:read'));
    expect(masked({ currency: email })).to.equal(null);
    expect(masked({ currency: 'INR', token: email })).to.equal(null);
    expect(masked({}, { status: `paid ${email}` })).to.equal(null);
    expect(masked({ currency: 'INR' })).to.be.a('string');
    expect(filters({ currency: email })).to.include({ currency: email });
  });
});
