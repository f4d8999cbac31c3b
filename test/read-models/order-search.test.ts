import { expect } from 'chai';
import { foldOrder } from '../../projections/order-state/index.ts';
import { branded } from '../../src/domain/brand.ts';
import type { Utr } from '../../src/domain/ids.ts';
import { isFoundBy, searchedTerms, searchTerms, type OrderSearch } from '../../src/read-models/order-search.ts';
import type { ProjectedOrder } from '../../src/read-models/projected-order.ts';
import { eventOfBody } from '../support/ledger-events.ts';
import { offRamp } from '../support/payloads.ts';
import { there } from '../support/sqlite-read-models.ts';

const order: ProjectedOrder = {
  state: there(
    foldOrder([
      eventOfBody(
        Buffer.from(
          JSON.stringify(
            offRamp({
              status: 'PayoutSuccess',
              utr: 'UTR-7',
              transactionId: 'ref asha@example.com',
              senderWalletAddress: '0xAbC',
              metaData: { shop: 'Pune', accountNo: 'ACC-77', note: 'for asha@bank' },
              customer: {
                id: 'cust-1',
                email: 'Asha@example.com',
                phone: { countrycode: '91', number: '98765 00000' },
                created_at: '2022-11-28T12:45:17.000Z',
              },
            }),
          ),
        ),
        {},
      ),
    ]),
  ),
  otherUtrs: [branded<Utr>('UTR-OLD')],
};

/** Whether a search comes to look at the order at all: how long that takes can be seen from outside. */
const isLookedAt = (search: OrderSearch): boolean => {
  const wanted = searchedTerms(search);
  return searchTerms(order).some((term) => wanted.has(term));
};

const whoever = { personal: false, holdsMasked: false };
const staff = { personal: true, holdsMasked: false };

const NUMBERS = [
  '9876500000',
  '+91 98765-00000',
  '919876500000',
  '(98765) 00000',
  '(+91) 98765.00000',
  '98765\u{2011}00000',
];
const OF_PEOPLE = ['asha@example.com', 'ASHA@EXAMPLE.COM', ...NUMBERS, 'ACC-77'];
const WITH_AN_ADDRESS = ['ref asha@example.com', 'for asha@bank'];
const OF_ALL = ['UTR-7', 'UTR-OLD', '0xabc', '0xABC', 'cust-1', 'Pune'];

describe('the terms of a search for orders', () => {
  it('lead nobody to an order by what they may not see, whose guesses would take longer where they are right', () => {
    for (const text of OF_PEOPLE) {
      expect([text, isLookedAt({ text, ...whoever })]).to.deep.equal([text, false]);
      expect([text, isLookedAt({ text, ...whoever, holdsMasked: true })]).to.deep.equal([text, false]);
    }
    for (const text of WITH_AN_ADDRESS) {
      expect([text, isLookedAt({ text, ...whoever, holdsMasked: true })]).to.deep.equal([text, false]);
    }
  });

  it('lead nobody there by naming the kind of a term in the text', () => {
    for (const text of OF_PEOPLE) {
      for (const kind of ['open ', 'text ', 'personal ', 'utr ']) {
        expect([kind, text, isLookedAt({ text: kind + text, ...whoever })]).to.deep.equal([kind, text, false]);
      }
    }
  });

  it('lead nobody who is shown the match alone to an order by what that does not show', () => {
    for (const text of [...OF_PEOPLE, ...WITH_AN_ADDRESS, 'cust-1', 'Pune', 'UTR-OLD']) {
      const search = { text, ...whoever, holdsMasked: WITH_AN_ADDRESS.includes(text), inMatch: true } as const;
      expect([text, isLookedAt(search), isFoundBy(order, search)]).to.deep.equal([text, false, false]);
    }
    for (const text of ['UTR-7', '0xabc', 'ref asha@example.com']) {
      const search = { text, ...staff, inMatch: true } as const;
      expect([text, isLookedAt(search), isFoundBy(order, search)]).to.deep.equal([text, true, true]);
    }
  });

  it('lead whoever may see it to all that finds the order', () => {
    for (const text of [...OF_PEOPLE, ...WITH_AN_ADDRESS, ...OF_ALL]) {
      const search = { text, ...staff, holdsMasked: WITH_AN_ADDRESS.includes(text) };
      expect([text, isFoundBy(order, search), isLookedAt(search)]).to.deep.equal([text, true, true]);
    }
    for (const text of OF_ALL) {
      expect([text, isFoundBy(order, { text, ...whoever })]).to.deep.equal([text, true]);
      expect([text, isLookedAt({ text, ...whoever })]).to.deep.equal([text, true]);
    }
    // Never masked themselves, whatever is in them.
    for (const text of ['UTR-7', '0xabc']) {
      expect(isLookedAt({ text, personal: false, holdsMasked: true })).to.equal(true);
    }
  });
});
