import { expect } from 'chai';
import { RECONCILIATION_COLUMNS } from '../../../src/queries/exports/export-columns.ts';

describe('the columns of items of the match', () => {
  it('have the amount and the direction of each line, also where several are equal, and each account once', () => {
    const line = { account: 'A', amount: '100.00' };
    const item = {
      lines: [
        { ...line, direction: 'out' },
        { ...line, direction: 'in' },
        { ...line, direction: 'out' },
      ],
    };
    const cell = (name: string) => RECONCILIATION_COLUMNS.find((column) => column.name === name)?.valueIn(item);
    expect(['lineAmounts', 'lineDirections', 'accounts'].map(cell)).to.deep.equal([
      '100.00 100.00 100.00',
      'out in out',
      'A',
    ]);
  });

  it('have what an item comes to in currencies beside its own', () => {
    const others = [
      { currency: 'EUR', fiat: '200' },
      { currency: 'USD', fiat: '200' },
    ];
    const cell = (name: string) => RECONCILIATION_COLUMNS.find((column) => column.name === name)?.valueIn({ others });
    expect(['otherCurrencies', 'otherFiat'].map(cell)).to.deep.equal(['EUR USD', '200 200']);
  });
});
