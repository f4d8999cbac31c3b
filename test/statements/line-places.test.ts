import { expect } from 'chai';
import fc from 'fast-check';
import { branded } from '../../src/domain/brand.ts';
import type { BusinessDay } from '../../src/domain/business-day.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import type { AccountName, BankLine, CurrencyCode } from '../../src/domain/statement-line.ts';
import { contentDigest } from '../../src/statements/line-ids.ts';
import { LinePlaces } from '../../src/statements/line-places.ts';

const lineSaying = (text: number): BankLine => ({
  account: branded<AccountName>('A'),
  currency: branded<CurrencyCode>('EUR'),
  bookedOn: branded<BusinessDay>('2026-02-10'),
  valueOn: branded<BusinessDay>('2026-02-10'),
  amount: branded<Decimal>('1'),
  direction: 'in',
  reversal: false,
  references: [],
  text: String(text),
  raw: '',
});

describe('places of the lines of a file', () => {
  it('are what each says and how many equal ones are before it, as a map of texts tells it, in any parts', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30), { maxLength: 120 }), fc.nat(130), fc.nat(50), (said, from, most) => {
        const places = new LinePlaces(said.length);
        const seen = new Map<number, number>();
        const whole = said.map((text) => {
          places.add(lineSaying(text));
          const before = seen.get(text) ?? 0;
          seen.set(text, before + 1);
          return { content: contentDigest(lineSaying(text)), before };
        });
        expect(places.places(from, most)).to.deep.equal(whole.slice(from, from + most));
        expect(places.places(0, said.length)).to.deep.equal(whole);
      }),
    );
  });
});
