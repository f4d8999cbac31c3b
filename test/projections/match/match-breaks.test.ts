import { branded } from '../../../src/domain/brand.ts';
import type { Utr } from '../../../src/domain/ids.ts';
import { amount, type Case, fiat, holdCases } from './match-cases.ts';
import {
  completed,
  currency,
  day,
  debit,
  decimal,
  deemedPayout,
  failedPayout,
  paidOut,
  transferOf,
} from './match-scene.ts';

const back = { direction: 'in', reversal: true } as const;

/** Paid at the second attempt. */
const twice = (id: string) =>
  paidOut(id, null, {
    payouts: [
      { utr: branded<Utr>('U1'), state: 'failed' },
      { utr: branded<Utr>('U2'), state: 'paid' },
    ],
  });

/** On-ramp orders whose fiat was paid in, and is paid back: before tokens were delivered, or after. */
const refunds = ['open', 'settled'].flatMap((before): readonly Case[] => {
  const order = (phase: 'refunding' | 'refunded') =>
    completed('o', null, { phase, status: phase, ...(before === 'open' ? { settledDay: null } : {}) });
  const paidIn = debit('l1', { references: ['o'], direction: 'in' });
  const paidBack = debit('l2', { references: ['o'], bookedOn: day('2026-03-11') });
  return [
    [
      `refunded, ${before} before: paid in and back`,
      { orders: [order('refunded')], lines: [paidIn, paidBack] },
      ['1-2-0 matched reference'],
    ],
    [
      `refunded, ${before} before: a refund that the bank never made`,
      { orders: [order('refunded')], lines: [paidIn] },
      ['1-1-0 break reference status-conflict'],
    ],
    [
      `refunding, ${before} before: still there`,
      { orders: [order('refunding')], lines: [paidIn] },
      ['1-1-0 matched reference'],
    ],
    [
      `refunding, ${before} before: the bank was faster than the provider`,
      { orders: [order('refunding')], lines: [paidIn, paidBack] },
      ['1-2-0 break reference reversed'],
    ],
  ];
});

const CASES: readonly Case[] = [
  ...refunds,
  [
    'refunded after its tokens were delivered, beside another order of the same customer: both at the bank',
    {
      orders: [
        completed('o1', null, { phase: 'refunded', status: 'refunded', settledDay: day('2026-03-01') }),
        completed('o2', null),
      ],
      lines: [
        debit('l1', { references: ['o1'], direction: 'in', bookedOn: day('2026-03-01') }),
        debit('l2', { references: ['o1', 'o2'], direction: 'in' }),
        debit('l3', { references: ['o1'], bookedOn: day('2026-03-11') }),
      ],
    },
    ['2-3-0 matched reference'],
  ],
  // The tokens were sent before: the chain must have them, whatever became of the fiat.
  [
    'refunded after its tokens were delivered, which the chain has',
    {
      orders: [completed('o', '0xaa', { phase: 'refunded', status: 'refunded' })],
      transfers: [transferOf('0xaa')],
    },
    ['1-0-1 matched txn-hash'],
  ],
  [
    'refunded without having been completed, and the chain has its tokens',
    {
      orders: [completed('o', '0xaa', { phase: 'refunded', status: 'refunded', settledDay: null })],
      transfers: [transferOf('0xaa')],
    },
    ['1-0-1 break txn-hash status-conflict'],
  ],
  // Amounts.
  [
    'a paisa too little',
    { orders: [paidOut('o', 'U1')], lines: [debit('l', { references: ['U1'], ...amount('99.99') })] },
    ['1-1-0 break utr amount-under'],
  ],
  [
    'a paisa too much',
    { orders: [paidOut('o', 'U1')], lines: [debit('l', { references: ['U1'], ...amount('100.01') })] },
    ['1-1-0 break utr amount-over'],
  ],
  [
    'exactly the tolerance',
    { orders: [paidOut('o', 'U1')], lines: [debit('l', { references: ['U1'], ...amount('99.99') })] },
    ['1-1-0 matched utr'],
    { tolerances: { INR: decimal('0.01'), '*': decimal('0') } },
  ],
  [
    'more than the tolerance',
    { orders: [paidOut('o', 'U1')], lines: [debit('l', { references: ['U1'], ...amount('99.989') })] },
    ['1-1-0 break utr amount-under'],
    { tolerances: { INR: decimal('0.01') } },
  ],
  [
    'the tolerance of all other currencies',
    { orders: [paidOut('o', 'U1')], lines: [debit('l', { references: ['U1'], ...amount('101') })] },
    ['1-1-0 matched utr'],
    { tolerances: { EUR: decimal('0'), '*': decimal('1') } },
  ],
  [
    'amounts that a double can not tell apart',
    {
      orders: [paidOut('o', 'U1', fiat('9007199254740993.01'))],
      lines: [debit('l', { references: ['U1'], ...amount('9007199254740993.02') })],
    },
    ['1-1-0 break utr amount-over'],
  ],
  [
    'gross less tds',
    {
      orders: [paidOut('o', 'U1', { tds: decimal('1') })],
      lines: [debit('l', { references: ['U1'], ...amount('99') })],
    },
    ['1-1-0 matched utr'],
    { offRampFiat: 'gross' },
  ],
  [
    'gross, and tds was not taken',
    { orders: [paidOut('o', 'U1', { tds: decimal('1') })], lines: [debit('l', { references: ['U1'] })] },
    ['1-1-0 break utr amount-over tds-variance'],
    { offRampFiat: 'gross' },
  ],
  [
    'net, and the commission was taken',
    {
      orders: [paidOut('o', 'U1', { commission: decimal('2') })],
      lines: [debit('l', { references: ['U1'], ...amount('98') })],
    },
    ['1-1-0 break utr amount-under fee-variance'],
  ],
  [
    'another currency',
    { orders: [paidOut('o', 'U1')], lines: [debit('l', { references: ['U1'], currency: currency('EUR') })] },
    ['1-1-0 break utr currency-mismatch'],
  ],
  // Days.
  [
    'the last day of the tolerance',
    { orders: [paidOut('o', 'U1')], lines: [debit('l', { references: ['U1'], bookedOn: day('2026-03-13') })] },
    ['1-1-0 matched utr'],
  ],
  [
    'a day later',
    { orders: [paidOut('o', 'U1')], lines: [debit('l', { references: ['U1'], bookedOn: day('2026-03-14') })] },
    ['1-1-0 break utr date-outside-tolerance'],
  ],
  // What the bank took back.
  [
    'a payout that came back',
    {
      orders: [paidOut('o', 'U1')],
      lines: [debit('l1', { references: ['U1'] }), debit('l2', { references: ['U1'], ...back })],
    },
    ['1-2-0 break utr reversed'],
  ],
  [
    'one that was returned without the word',
    {
      orders: [paidOut('o', 'U1')],
      lines: [debit('l1', { references: ['U1'] }), debit('l2', { references: ['U1'], direction: 'in' })],
    },
    ['1-2-0 break utr reversed'],
  ],
  [
    'one that came back and went out again',
    {
      orders: [paidOut('o', 'U1')],
      lines: [
        debit('l1', { references: ['U1'] }),
        debit('l2', { references: ['U1'], ...back }),
        debit('l3', { references: ['U1'] }),
      ],
    },
    ['1-3-0 matched utr'],
  ],
  // Orders that were not paid.
  [
    'failed at the provider, debited by the bank',
    { orders: [failedPayout('o', 'U1')], lines: [debit('l', { references: ['U1'] })] },
    ['1-1-0 break utr status-conflict'],
  ],
  [
    'failed, debited and returned',
    {
      orders: [failedPayout('o', 'U1')],
      lines: [debit('l1', { references: ['U1'] }), debit('l2', { references: ['U1'], ...back })],
    },
    ['1-2-0 matched utr'],
  ],
  [
    'an attempt that failed, debited in place of the one that was paid',
    { orders: [twice('o')], lines: [debit('l', { references: ['U1'] })] },
    ['1-1-0 break utr status-conflict'],
  ],
  [
    'an attempt that failed, debited beside the one that was paid',
    { orders: [twice('o')], lines: [debit('l1', { references: ['U1'] }), debit('l2', { text: 'NEFT/U2' })] },
    ['1-2-0 break utr-in-text amount-over status-conflict'],
  ],
  [
    'an attempt that failed, debited and returned, and the one that was paid',
    {
      orders: [twice('o')],
      lines: [
        debit('l1', { references: ['U1'] }),
        debit('l2', { text: 'RETURN OF U1', ...back }),
        debit('l3', { references: ['U2'] }),
      ],
    },
    ['1-3-0 matched utr-in-text'],
  ],
  [
    'the return of an attempt that failed, whose debit no statement has',
    {
      orders: [twice('o')],
      lines: [debit('l1', { references: ['U2'] }), debit('l2', { references: ['U1'], ...back })],
    },
    ['1-2-0 break utr reversed'],
  ],
  [
    'a payment that names the attempt that failed beside the one that was paid',
    { orders: [twice('o')], lines: [debit('l', { references: ['U2'], text: 'INSTEAD OF U1' })] },
    ['1-1-0 matched utr'],
  ],
  ['failed, and nothing at the bank', { orders: [failedPayout('o', 'U1')] }, []],
  [
    'a utr that comes again after a failed order',
    { orders: [failedPayout('o1', 'U1'), paidOut('o2', 'U1')], lines: [debit('l', { references: ['U1'] })] },
    ['1-1-0 matched utr'],
  ],
  [
    'two paid orders with one utr',
    { orders: [paidOut('o1', 'U1'), paidOut('o2', 'U1')], lines: [debit('l', { references: ['U1'] })] },
    ['2-1-0 break utr duplicate'],
  ],
  [
    'two paid orders with one utr, and nothing at the bank',
    { orders: [paidOut('o1', 'U1'), paidOut('o2', 'U1')] },
    ['2-0-0 break - duplicate'],
  ],
  [
    'a deemed payout that the bank has booked',
    { orders: [deemedPayout('o', 'U1')], lines: [debit('l', { references: ['U1'] })] },
    ['1-1-0 matched utr'],
  ],
  ['a deemed payout', { orders: [deemedPayout('o', 'U1')] }, ['1-0-0 awaited -']],
];

describe('items of the match: amounts, days, reversals and orders that were not paid', () => holdCases(CASES));
