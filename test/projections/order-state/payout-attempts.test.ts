import { expect } from 'chai';
import * as fc from 'fast-check';
import { foldOrder } from '../../../projections/order-state/index.ts';
import type { LedgerEvent } from '../../../src/domain/ledger-event.ts';
import { phaseOf } from '../../../src/domain/status.ts';
import { offRampEvent, onRampEvent } from '../../support/ledger-events.ts';

/** What arrives (status, or status:utr), the attempts (utr, state, events), the shown status, the anomalies. */
type Case = readonly [
  arrivals: readonly string[],
  attempts: readonly (readonly [utr: string | null, state: string, events: readonly string[]])[],
  status: string,
  anomalies: readonly string[],
];

const CASES: readonly Case[] = [
  [['pending', 'orderReceived', 'CryptoReceived'], [], 'CryptoReceived', []],
  [['fiatDeemed'], [[null, 'deemed', ['fiatDeemed']]], 'fiatDeemed', []],
  [['fiatDeemed', 'PayoutSuccess:A'], [['A', 'paid', ['fiatDeemed', 'PayoutSuccess:A']]], 'PayoutSuccess', []],
  [['fiatDeemed', 'fiatDeemed:A'], [['A', 'deemed', ['fiatDeemed', 'fiatDeemed:A']]], 'fiatDeemed', []],
  [['fiatDeemed:A', 'PayoutSuccess:A'], [['A', 'paid', ['fiatDeemed:A', 'PayoutSuccess:A']]], 'PayoutSuccess', []],
  [['fiatDeemed:A', 'fiatFailed:A'], [['A', 'failed', ['fiatDeemed:A', 'fiatFailed:A']]], 'fiatFailed', []],
  [
    ['fiatFailed:A', 'fiatDeemed:B'],
    [
      ['A', 'failed', ['fiatFailed:A']],
      ['B', 'deemed', ['fiatDeemed:B']],
    ],
    'fiatDeemed',
    [],
  ],
  [
    ['fiatFailed:A', 'PayoutSuccess:B'],
    [
      ['A', 'failed', ['fiatFailed:A']],
      ['B', 'paid', ['PayoutSuccess:B']],
    ],
    'PayoutSuccess',
    [],
  ],
  [
    ['fiatFailed:A', 'fiatFailed:B'],
    [
      ['A', 'failed', ['fiatFailed:A']],
      ['B', 'failed', ['fiatFailed:B']],
    ],
    'fiatFailed',
    [],
  ],
  [['fiatFailed', 'fiatDeemed:A'], [['A', 'failed', ['fiatDeemed:A', 'fiatFailed']]], 'fiatFailed', []],
  [['fiatFailed', 'fiatDeemed'], [[null, 'failed', ['fiatDeemed', 'fiatFailed']]], 'fiatFailed', []],
  [
    ['fiatDeemed', 'fiatFailed:A', 'PayoutSuccess:B'],
    [
      ['A', 'failed', ['fiatDeemed', 'fiatFailed:A']],
      ['B', 'paid', ['PayoutSuccess:B', 'fiatDeemed']],
    ],
    'PayoutSuccess',
    [],
  ],
  [
    ['fiatDeemed:A', 'fiatDeemed:B', 'fiatFailed:A'],
    [
      ['A', 'failed', ['fiatDeemed:A', 'fiatFailed:A']],
      ['B', 'deemed', ['fiatDeemed:B']],
    ],
    'fiatDeemed',
    [],
  ],
  [['PayoutSuccess', 'PayoutSuccess:A'], [['A', 'paid', ['PayoutSuccess', 'PayoutSuccess:A']]], 'PayoutSuccess', []],
  [
    ['PayoutSuccess:A', 'PayoutSuccess:B'],
    [
      ['A', 'paid', ['PayoutSuccess:A']],
      ['B', 'paid', ['PayoutSuccess:B']],
    ],
    'PayoutSuccess',
    ['second-payout'],
  ],
  [
    ['PayoutSuccess:A', 'fiatFailed:A'],
    [['A', 'paid', ['PayoutSuccess:A', 'fiatFailed:A']]],
    'PayoutSuccess',
    ['payout-paid-and-failed'],
  ],
  [
    ['PayoutSuccess:A', 'fiatFailed:A', 'PayoutSuccess:B'],
    [
      ['A', 'paid', ['PayoutSuccess:A', 'fiatFailed:A']],
      ['B', 'paid', ['PayoutSuccess:B']],
    ],
    'PayoutSuccess',
    ['payout-paid-and-failed', 'second-payout'],
  ],
  [
    ['PayoutSuccess', 'fiatFailed'],
    [[null, 'paid', ['PayoutSuccess', 'fiatFailed']]],
    'PayoutSuccess',
    ['payout-paid-and-failed'],
  ],
  [['PayoutSuccess:A', 'refunded'], [['A', 'paid', ['PayoutSuccess:A']]], 'refunded', ['refunded-after-settlement']],
  [
    ['fiatFailed:A', 'fiatDeemed:B', 'refunded'],
    [
      ['A', 'failed', ['fiatFailed:A']],
      ['B', 'deemed', ['fiatDeemed:B']],
    ],
    'refunded',
    [],
  ],
  [
    ['completed', 'fiatFailed:A', 'fiatDeemed:B'],
    [
      ['A', 'failed', ['fiatFailed:A']],
      ['B', 'deemed', ['fiatDeemed:B']],
    ],
    'fiatDeemed',
    ['sample-completed'],
  ],
  [['completed', 'PayoutSuccess:A'], [['A', 'paid', ['PayoutSuccess:A']]], 'PayoutSuccess', []],
  [
    ['fiatFailed:A', 'PayoutSuccess'],
    [['A', 'paid', ['PayoutSuccess', 'fiatFailed:A']]],
    'PayoutSuccess',
    ['payout-paid-and-failed'],
  ],
  [
    ['fiatFailed:A', 'PayoutSuccess', 'PayoutSuccess:B'],
    [
      ['A', 'failed', ['fiatFailed:A']],
      ['B', 'paid', ['PayoutSuccess', 'PayoutSuccess:B']],
    ],
    'PayoutSuccess',
    [],
  ],
  [
    ['fiatFailed:A', 'fiatDeemed:B', 'PayoutSuccess'],
    [
      [null, 'paid', ['PayoutSuccess']],
      ['A', 'failed', ['fiatFailed:A']],
      ['B', 'deemed', ['fiatDeemed:B']],
    ],
    'PayoutSuccess',
    [],
  ],
  [
    ['fiatDeemed:a1', 'PayoutSuccess:A1'],
    [
      ['A1', 'paid', ['PayoutSuccess:A1']],
      ['a1', 'deemed', ['fiatDeemed:a1']],
    ],
    'PayoutSuccess',
    [],
  ],
  // A utr beside another status is none of a payout's.
  [
    ['pending:X', 'fiatDeemed:A', 'PayoutSuccess'],
    [['A', 'paid', ['PayoutSuccess', 'fiatDeemed:A']]],
    'PayoutSuccess',
    [],
  ],
  // fiatDeemed without a utr belongs to every attempt, that without a utr too.
  [
    ['fiatDeemed', 'fiatDeemed:A', 'fiatDeemed:B', 'fiatFailed'],
    [
      [null, 'failed', ['fiatDeemed', 'fiatFailed']],
      ['A', 'deemed', ['fiatDeemed', 'fiatDeemed:A']],
      ['B', 'deemed', ['fiatDeemed', 'fiatDeemed:B']],
    ],
    'fiatDeemed',
    [],
  ],
  // A final one without a utr belongs to all attempts that have its status, and only to those.
  [
    ['fiatFailed', 'fiatFailed:A', 'fiatFailed:B', 'fiatDeemed:C'],
    [
      ['A', 'failed', ['fiatFailed', 'fiatFailed:A']],
      ['B', 'failed', ['fiatFailed', 'fiatFailed:B']],
      ['C', 'deemed', ['fiatDeemed:C']],
    ],
    'fiatDeemed',
    [],
  ],
  // Two final ones that fit nowhere have one key, no utr, so they are one attempt.
  [
    ['fiatDeemed:A', 'fiatDeemed:B', 'fiatFailed', 'PayoutSuccess'],
    [
      [null, 'paid', ['PayoutSuccess', 'fiatFailed']],
      ['A', 'deemed', ['fiatDeemed:A']],
      ['B', 'deemed', ['fiatDeemed:B']],
    ],
    'PayoutSuccess',
    ['payout-paid-and-failed'],
  ],
];

const arrival = (text: string): LedgerEvent => {
  const [status = '', utr] = text.split(':');
  return offRampEvent(status, { utr });
};

describe('payout attempts', () => {
  for (const [arrivals, attempts, status, anomalies] of CASES) {
    it(`of ${arrivals.join(', ')}`, () => {
      const labelled = arrivals.map((text) => [text, arrival(text)] as const);
      const labels = new Map<string, string>(labelled.map(([text, event]) => [event.recorded.id, text]));
      fc.assert(
        fc.property(fc.shuffledSubarray(labelled, { minLength: labelled.length }), (shuffled) => {
          const state = foldOrder(shuffled.map(([, event]) => event));
          expect(state?.status).to.equal(status);
          expect(state?.phase).to.equal(phaseOf('offramp', status));
          expect(
            state?.payouts.map((p) => [p.utr, p.state, p.eventIds.map((id) => labels.get(id) ?? id).toSorted()]),
          ).to.deep.equal(attempts.map(([utr, its, events]) => [utr, its, events.toSorted()]));
          expect(state?.anomalies.map(({ code }) => code)).to.deep.equal(anomalies);
        }),
        { numRuns: 10 },
      );
    });
  }

  it('give their event ids by content', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom('fiatDeemed', 'fiatFailed', 'PayoutSuccess', 'fiatDeemed:A')),
        (all) => {
          for (const { eventIds } of foldOrder(all.map(arrival))?.payouts ?? []) {
            expect(eventIds).to.deep.equal(eventIds.toSorted());
          }
        },
      ),
    );
  });

  it('take an empty utr for none', () => {
    expect(foldOrder([offRampEvent('fiatDeemed', { utr: '' })])?.payouts[0]?.utr).to.equal(null);
  });

  it('are none of an on-ramp order', () => {
    const state = foldOrder([onRampEvent('PayoutSuccess', { utr: 'A' }), onRampEvent('fiatDeemed')]);
    expect(state?.payouts).to.deep.equal([]);
    expect(state?.phase).to.equal('open');
  });
});
