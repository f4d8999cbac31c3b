import { expect } from 'chai';
import {
  AccountNameText,
  CurrencyCodeText,
  DirectionText,
  LineIdText,
  parseCurrencyCode,
  type BankLine,
  type StatementId,
  type StatementLine,
} from '../../src/domain/statement-line.ts';

describe('the types of a bank line', () => {
  it('reads a currency in any letter case, and nothing but three letters', () => {
    expect(parseCurrencyCode('inr')).to.equal('INR');
    expect(parseCurrencyCode('IN')).to.equal(null);
    expect(parseCurrencyCode('€')).to.equal(null);
    expect(CurrencyCodeText.is('INR')).to.equal(true);
    expect(CurrencyCodeText.is('inr')).to.equal(false);
  });

  it('has codecs that refuse what the ledger does not write', () => {
    const id: StatementId | string = 'a'.repeat(64);
    expect([LineIdText.is(id), LineIdText.is('A'.repeat(64))]).to.deep.equal([true, false]);
    expect([AccountNameText.is('1'), AccountNameText.is('')]).to.deep.equal([true, false]);
    expect([DirectionText.is('in'), DirectionText.is('IN')]).to.deep.equal([true, false]);
    const known: readonly (keyof StatementLine)[] = ['lineId', 'statementId', 'index'];
    const said: keyof BankLine = 'raw';
    expect(known).not.to.include(said);
  });
});
