import { expect } from 'chai';
import { foldOrder, LASTING_ANOMALIES } from '../../../projections/order-state/index.ts';
import type { LedgerEvent } from '../../../src/domain/ledger-event.ts';
import { offRampEvent, onRampEvent, type Members } from '../../support/ledger-events.ts';

/** Status, or status:utr, each standing for an event; `!` before it for a conflicting delivery, `~` after it for an unreadable field. */
type Case = readonly [
  what: string,
  flow: typeof onRampEvent,
  arrivals: readonly string[],
  anomalies: readonly (readonly [code: string, field: string, values: readonly string[], events: readonly string[]])[],
];

const [on, off] = [onRampEvent, offRampEvent];
const progress = ['orderReceived', 'InProgress', 'fiatReceived', 'transferred', 'completed'];

const CASES: readonly Case[] = [
  [
    'a refund beside completion',
    on,
    ['completed', 'refunded'],
    [['refunded-after-settlement', '', [], ['completed', 'refunded']]],
  ],
  [
    'a refund under way beside completion',
    on,
    ['refunded', 'refunding', 'completed', 'fiatPending'],
    [['refunded-after-settlement', '', [], ['refunded', 'refunding', 'completed']]],
  ],
  [
    'a refund beside a payout',
    off,
    ['PayoutSuccess:A', 'refunded'],
    [['refunded-after-settlement', '', [], ['PayoutSuccess:A', 'refunded']]],
  ],
  ['a refund without completion', on, ['fiatReceived', 'refunding', 'refunded'], []],
  [
    'a refund under way, which is no off-ramp status, beside a payout',
    off,
    ['PayoutSuccess', 'refunding'],
    [['unlisted-status', 'refunding', ['refunding'], ['refunding']]],
  ],
  ['a refund after a failed payout', off, ['fiatFailed:A', 'refunded'], []],
  [
    "a refund beside the sample's completed",
    off,
    ['completed', 'refunded'],
    [['sample-completed', '', [], ['completed']]],
  ],
  ...progress.map((status): Case => [
    `${status} beside expiry`,
    on,
    ['fiatPending', 'expired', status],
    [['progress-after-expiry', '', [], ['expired', status]]],
  ]),
  ['expiry', on, ['fiatPending', 'expired'], []],
  ['a refund beside expiry', on, ['expired', 'refunding', 'refunded'], []],
  [
    "the on-ramp's expired beside off-ramp progress",
    off,
    ['expired', 'orderReceived'],
    [['unlisted-status', 'expired', ['expired'], ['expired']]],
  ],
  [
    'two payouts',
    off,
    ['PayoutSuccess:B', 'PayoutSuccess:A', 'PayoutSuccess', 'fiatDeemed'],
    [['second-payout', '', ['A', 'B'], ['PayoutSuccess:A', 'PayoutSuccess:B', 'PayoutSuccess']]],
  ],
  [
    'payouts that succeeded and failed, each by its utr',
    off,
    ['PayoutSuccess:A', 'fiatFailed:A', 'fiatFailed:B', 'fiatDeemed:B', 'PayoutSuccess:B'],
    [
      ['payout-paid-and-failed', 'A', ['A'], ['PayoutSuccess:A', 'fiatFailed:A']],
      ['payout-paid-and-failed', 'B', ['B'], ['PayoutSuccess:B', 'fiatFailed:B']],
      ['second-payout', '', ['A', 'B'], ['PayoutSuccess:A', 'PayoutSuccess:B']],
    ],
  ],
  [
    'a payout without utr that did both',
    off,
    ['PayoutSuccess', 'fiatFailed'],
    [['payout-paid-and-failed', '', [], ['PayoutSuccess', 'fiatFailed']]],
  ],
  [
    'conflicting deliveries, one for each key',
    off,
    ['fiatDeemed', 'fiatDeemed:A', '!fiatDeemed', '!fiatDeemed:A', '!fiatDeemed:A~'],
    [
      ['conflicting-delivery', 'fiatDeemed', ['fiatDeemed'], ['!fiatDeemed']],
      ['conflicting-delivery', 'fiatDeemed A', ['fiatDeemed A'], ['!fiatDeemed:A', '!fiatDeemed:A~']],
    ],
  ],
  [
    'unlisted statuses, one for each',
    off,
    ['pending', 'onHold', 'cancelled:A', 'cancelled:B'],
    [
      ['unlisted-status', 'cancelled', ['cancelled'], ['cancelled:A', 'cancelled:B']],
      ['unlisted-status', 'onHold', ['onHold'], ['onHold']],
    ],
  ],
  [
    'unreadable fields, one for each path',
    off,
    ['pending~', 'fiatDeemed', 'orderReceived~'],
    [
      ['field-unreadable', 'customer.email', [], ['pending~', 'orderReceived~']],
      ['field-unreadable', 'tds', [], ['pending~', 'orderReceived~']],
    ],
  ],
  ["the sample's completed", off, ['pending', 'completed'], [['sample-completed', '', [], ['completed']]]],
  ["the sample's completed, confirmed", off, ['PayoutSuccess:A', 'completed'], []],
  ['on-ramp completed', on, ['completed'], []],
];

const unreadable: Members = { tds: 'x', customer: { id: 'c2', email: 5 } };

const event = (flow: typeof onRampEvent, text: string): LedgerEvent => {
  const [status = '', utr] = text.replaceAll(/[!~]/g, '').split(':');
  const members = { utr, ...(text.endsWith('~') ? unreadable : {}) };
  return flow(status, members, { kind: text.startsWith('!') ? 'conflict' : 'order' });
};

describe('lasting anomalies', () => {
  for (const [what, flow, arrivals, wanted] of CASES) {
    it(what, () => {
      const events = arrivals.map((text) => event(flow, text));
      const labels = new Map<string, string>(events.map(({ recorded }, i) => [recorded.id, arrivals[i] ?? '']));
      for (const order of [events, events.toReversed()]) {
        expect(
          foldOrder(order)?.anomalies.map(({ code, field, values, eventIds }) => [
            code,
            field,
            values,
            eventIds.map((id) => labels.get(id) ?? id).toSorted(),
          ]),
        ).to.deep.equal(wanted.map(([code, field, values, its]) => [code, field, values, its.toSorted()]));
      }
    });
  }

  it('are all met in these cases, but for changed facts', () => {
    const met = new Set(CASES.flatMap(([, , , wanted]) => wanted.map(([code]) => code)));
    expect([...met, 'fact-changed'].toSorted()).to.deep.equal(LASTING_ANOMALIES.toSorted());
  });

  it('keep keys apart that read alike', () => {
    const events = [
      onRampEvent('a b', { utr: 'c' }, { kind: 'conflict' }),
      onRampEvent('a', { utr: 'b c' }, { kind: 'conflict' }),
    ];
    const [one, two] = [
      [onRampEvent('completed'), ...events],
      [...events.toReversed(), onRampEvent('completed')],
    ].map((order) => foldOrder(order)?.anomalies);
    expect(one?.map(({ field }) => field)).to.deep.equal(['a b c', 'a b c']);
    expect(one).to.deep.equal(two);
  });
});
