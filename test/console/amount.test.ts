import { expect } from 'chai';
import { amount, money, moneyWidth } from '../../src/console/amount.ts';
import { pageText, type Html } from '../../src/console/html.ts';
import { durationText } from '../../src/console/duration-text.ts';

/** What is seen: without tags, and without what only aligns. */
const seen = async (piece: Html): Promise<string> =>
  (await pageText(piece))
    .replaceAll(/<span class="filling" aria-hidden="true">.*?<\/span\s*>/gs, '')
    .replaceAll('<span class="group">', ' ')
    .replaceAll(/<[^>]*>/g, '')
    .trim();

/** What is copied: the digits that came. */
const copied = async (piece: Html): Promise<string> =>
  (await pageText(piece))
    .replaceAll(/<span class="filling[^"]*".*?<\/span\s*>/gs, '')
    .replaceAll(/<[^>]*>/g, '')
    .trim();

describe('an amount of money', () => {
  it('shows its smallest unit at least and groups from four digits on; what is copied are the digits that came', async () => {
    for (const [text, currency, shown] of [
      ['999.9', 'INR', '999.90'],
      ['1000', 'INR', '1 000.00'],
      ['17600.27', 'INR', '17 600.27'],
      ['0.123456', 'USD', '0.123456'],
      ['1500', 'JPY', '1 500'],
      ['5', 'KWD', '5.000'],
      ['12345.5', 'points', '12 345.5'],
      ['-1234', 'EUR', '-1 234.00'],
    ] as const) {
      expect(await seen(money(text, currency)), text).to.equal(shown);
      expect(await copied(money(text, currency)), text).to.equal(text);
    }
    expect(await seen(amount('0.5'))).to.equal('0.5');
  });

  it('stands in a column as wide as its longest fraction', () => {
    expect(moneyWidth([['1', 'JPY']])).to.equal(0);
    expect(moneyWidth([['1', 'INR']])).to.equal(3);
    expect(
      moneyWidth([
        ['1', 'INR'],
        ['0.12345', 'INR'],
      ]),
    ).to.equal(6);
  });
});

describe('a duration', () => {
  it('has two units', () => {
    expect(durationText(316_800_000)).to.equal('3 d 16 h');
    expect(durationText(4_000)).to.equal('4 s');
  });
});
