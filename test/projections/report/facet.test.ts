import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { branded } from '../../../src/domain/brand.ts';
import type { Decimal } from '../../../src/domain/decimal.ts';
import { foldOrder } from '../../../projections/order-state/index.ts';
import { facetKey, facetOf, type Facet } from '../../../projections/report/index.ts';
import { anyText } from '../../support/arbitraries.ts';
import { inArrivalOrder, onRampEvent } from '../../support/ledger-events.ts';

const facets: fc.Arbitrary<Facet> = fc.record({
  flow: fc.constantFrom<Facet['flow']>('onramp', 'offramp'),
  status: anyText(3),
  phase: fc.constantFrom<Facet['phase']>('open', 'settled'),
  currency: anyText(3),
  symbol: anyText(3),
  address: anyText(3),
  chainId: fc.constantFrom('1', '137').map((id) => branded<Decimal>(id)),
  lasting: fc.subarray<Facet['lasting'][number]>(['conflicting-delivery', 'fact-changed']),
  clock: fc.constantFrom<Facet['clock']>(null, 'overdue', 'deemed-too-long'),
});

describe('facetOf', () => {
  it('names each lasting anomaly once, in order, and the one that the clock brings', () => {
    const events = inArrivalOrder([
      onRampEvent('fiatPending', { chainId: 137 }),
      onRampEvent('onHold', { fiat: 7 }),
      onRampEvent('paused', { fiat: 8 }),
    ]);
    const state = foldOrder(events);
    if (state === null) throw new Error('no order');
    expect(facetOf(state)).to.deep.equal({
      flow: 'onramp',
      status: 'fiatPending',
      phase: 'open',
      currency: 'INR',
      symbol: 'MATIC',
      address: '0xEEEE',
      chainId: '137',
      lasting: ['fact-changed', 'unlisted-status'],
      clock: null,
    });
    const pending = foldOrder(events.slice(0, 1));
    if (pending === null) throw new Error('no order');
    expect(facetOf(pending)).to.include({ clock: 'overdue' });
  });

  it('has one spelling of a chain', () => {
    const state = foldOrder([onRampEvent('fiatPending', { chainId: 137 })]);
    if (state === null) throw new Error('no order');
    const spelled = { ...state, token: { ...state.token, chainId: branded<Decimal>('137.00') } };
    expect(facetKey(facetOf(spelled))).to.equal(facetKey(facetOf(state)));
  });
});

describe('facetKey', () => {
  it('is the same for equal facets and for no others', () => {
    fc.assert(
      fc.property(facets, facets, (a, b) => {
        expect(facetKey({ ...a })).to.equal(facetKey(a));
        expect(facetKey(a) === facetKey(b)).to.equal(isDeepStrictEqual(a, b));
      }),
    );
  });

  it('tells members apart that run into each other', () => {
    fc.assert(
      fc.property(facets, anyText(3), (facet, text) => {
        const one = facetKey({ ...facet, symbol: `${facet.symbol}${text}`, address: 'a' });
        const other = facetKey({ ...facet, symbol: facet.symbol, address: `${text}a` });
        expect(one === other).to.equal(text === '');
      }),
    );
  });
});
