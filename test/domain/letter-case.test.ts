import { expect } from 'chai';
import fc from 'fast-check';
import { factsDigest } from '../../src/domain/facts-digest.ts';
import { lowerAscii, upperAscii } from '../../src/domain/letter-case.ts';
import { factsOf } from '../../src/domain/order-facts.ts';
import { parseCurrencyCode } from '../../src/domain/statement-line.ts';
import { orderFilter } from '../../src/queries/orders/order-filter-parameters.ts';
import { matchFilter } from '../../src/queries/reconciliation/reconciliation-parameters.ts';
import { amountOf } from '../../src/statements/camt/camt-values.ts';
import { anyCharacter } from '../support/any-character.ts';
import { onRamp, orderPayload } from '../support/payloads.ts';

/** Texts that Unicode makes ASCII where it takes letter case away, and what it makes of them. */
const OTHERS = { ınr: 'INR', ſek: 'SEK', ußd: 'USSD', ﬁm: 'FIM' } as const;

const NOTHING = {
  flow: null,
  status: null,
  currency: null,
  token: null,
  chainId: null,
  phase: null,
  basis: null,
  from: null,
  to: null,
  anomaly: null,
  q: null,
} as const;

describe('letter case of names that are ASCII', () => {
  it('is that of a to z alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const each = (fold: (letter: string) => string, which: RegExp): string =>
          Array.from(text, (letter) => (which.test(letter) ? fold(letter) : letter)).join('');
        expect(upperAscii(text)).to.equal(each((letter) => letter.toUpperCase(), /^[a-z]$/));
        expect(lowerAscii(text)).to.equal(each((letter) => letter.toLowerCase(), /^[A-Z]$/));
      }),
    );
  });

  for (const [other, code] of Object.entries(OTHERS)) {
    it(`tells the currency ${other} from ${code} in orders, filters and bank files`, () => {
      const payload = (currency: string) => orderPayload(onRamp({ orderId: 'a', currency }));
      expect(factsOf(payload(other)).currency).not.to.equal(code);
      expect(factsOf(payload(code.toLowerCase())).currency).to.equal(code);
      expect(factsDigest(payload(other))).not.to.equal(factsDigest(payload(code)));
      expect(orderFilter({ ...NOTHING, currency: other }, 'shown').currency).to.equal(factsOf(payload(other)).currency);
      const { from, to, flow } = NOTHING;
      expect(matchFilter({ from, to, flow, account: null, currency: other }).currency).not.to.equal(code);
      const inr = parseCurrencyCode('INR') ?? expect.fail('no currency');
      const amount = { name: 'Amt', currency: other, line: 1, from: 0, to: 1, text: '1', children: [] };
      expect(amountOf(amount, inr)).to.equal(null);
      expect(amountOf({ ...amount, currency: 'inr' }, inr)).to.equal('1');
    });
  }
});
