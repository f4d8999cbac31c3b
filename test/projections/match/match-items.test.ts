import { expect } from 'chai';
import type { MatchItem } from '../../../projections/match/match-item.ts';
import type { MatchSettings } from '../../../src/domain/match-settings.ts';
import type { MatchSources } from '../../../projections/match/memory-index.ts';
import type { Address } from '../../../src/domain/transfer.ts';
import { branded } from '../../../src/domain/brand.ts';
import type { BaseUnits } from '../../../src/domain/decimal.ts';
import type { Utr } from '../../../src/domain/ids.ts';
import {
  completed,
  currency,
  day,
  debit,
  decimal,
  deemedPayout,
  failedPayout,
  itemsOf,
  paidOut,
  transferOf,
} from './match-scene.ts';

/** What an item is, in one line: how many of each, its state, its rule, its breaks. */
const shown = ({ members, state, rule, breaks }: MatchItem): string => {
  const count = (kind: string): number => members.filter((name) => name.startsWith(kind)).length;
  const codes = breaks.map(({ code }) => code).join(' ');
  return `${count('order')}-${count('line')}-${count('transfer')} ${state} ${rule ?? '-'} ${codes}`.trim();
};

type Case = readonly [
  what: string,
  sources: Partial<MatchSources>,
  items: readonly string[],
  settings?: Partial<MatchSettings>,
];

const back = { direction: 'in', reversal: true } as const;
const fiat = (amount: string) => ({ fiat: decimal(amount) });
const amount = (text: string) => ({ amount: decimal(text) });

/** Paid at the second attempt. */
const twice = (id: string) =>
  paidOut(id, null, {
    payouts: [
      { utr: branded<Utr>('U1'), state: 'failed' },
      { utr: branded<Utr>('U2'), state: 'paid' },
    ],
  });

const CASES: readonly Case[] = [
  // Rules.
  ['a utr', { orders: [paidOut('o', 'U1')], lines: [debit('l', { references: ['U1'] })] }, ['1-1-0 matched utr']],
  [
    'a utr in another letter case',
    { orders: [paidOut('o', 'Ua1')], lines: [debit('l', { references: ['UA1'] })] },
    ['0-1-0 unmatched-line - missing-at-provider unknown-reference', '1-0-0 awaited -'],
  ],
  [
    'a utr in the text',
    { orders: [paidOut('o', 'N123')], lines: [debit('l', { text: 'NEFT-N123/ACME' })] },
    ['1-1-0 matched utr-in-text'],
  ],
  [
    'a utr as a part of a word',
    { orders: [paidOut('o', 'N123')], lines: [debit('l', { text: 'NEFT N1234 XN123' })] },
    ['0-1-0 unmatched-line - missing-at-provider', '1-0-0 awaited -'],
  ],
  [
    'a utr in a longer reference',
    { orders: [paidOut('o', 'N123')], lines: [debit('l', { references: ['UTR/N123'] })] },
    ['1-1-0 matched utr-in-text'],
  ],
  [
    'a utr with a stroke in it, in the text',
    { orders: [paidOut('o', 'N-123/4')], lines: [debit('l', { text: 'PAID N-123/4.' })] },
    ['1-1-0 matched utr-in-text'],
  ],
  ...['UPI 41234 5678901 OK', 'UPI/4123\n4567\r\n8901/OK', '412345678  901'].map((text): Case => [
    `a utr that blanks have cut, ${JSON.stringify(text)}`,
    { orders: [paidOut('o', '412345678901')], lines: [debit('l', { text })] },
    ['1-1-0 matched utr-in-text'],
  ]),
  [
    'a utr with letters that a blank has cut, in a reference',
    {
      orders: [paidOut('o', 'HDFCN52026031012345678')],
      lines: [debit('l', { references: ['NEFT HDFCN5202603 1012345678'] })],
    },
    ['1-1-0 matched utr-in-text'],
  ],
  ...['41234/5678901', '41234 5678901X', 'X41234 5678901', '41234-5678901', '41234 - 5678901', '4 1 2 345678901'].map(
    (text): Case => [
      `a utr in pieces that are not its own, ${text}`,
      { orders: [paidOut('o', '412345678901')], lines: [debit('l', { text })] },
      ['0-1-0 unmatched-line - missing-at-provider', '1-0-0 awaited -'],
    ],
  ),
  [
    'a short utr that a blank has cut',
    { orders: [paidOut('o', 'N12345')], lines: [debit('l', { text: 'N12 345' })] },
    ['0-1-0 unmatched-line - missing-at-provider', '1-0-0 awaited -'],
  ],
  [
    'a utr that stands whole beside one in pieces',
    {
      orders: [paidOut('o1', '412345678901'), paidOut('o2', '512345678901')],
      lines: [debit('l', { text: '41234 5678901 AND 512345678901' })],
    },
    ['1-0-0 awaited -', '1-1-0 matched utr-in-text'],
  ],
  [
    'two utrs in pieces',
    {
      orders: [paidOut('o1', '412345678901', fiat('60')), paidOut('o2', '512345678901', fiat('40'))],
      lines: [debit('l', { text: '41234 5678901, 51234 5678901' })],
    },
    ['2-1-0 matched utr-in-text'],
  ],
  [
    'a failed attempt that a utr in pieces names',
    { orders: [failedPayout('o', '412345678901')], lines: [debit('l', { text: '41234 5678901' })] },
    ['1-1-0 break utr-in-text status-conflict'],
  ],
  ...['41234 5678901', 'HDFCN520260 31012345678'].map((text): Case => [
    `amount and day of a line with the utr of somebody else in pieces, ${text}, beside the bank's own reference`,
    {
      orders: [paidOut('o', null)],
      lines: [debit('l', { references: ['FT-12'], ownReferences: ['FT-12'], text })],
    },
    ['0-1-0 unmatched-line - missing-at-provider unknown-reference', '1-0-0 awaited -'],
  ]),
  [
    "amount and day of a line with a name before a number, beside the bank's own reference",
    {
      orders: [paidOut('o', null)],
      lines: [debit('l', { references: ['FT-12'], ownReferences: ['FT-12'], text: 'ORDER 12345678901' })],
    },
    ['1-1-0 matched amount-and-day'],
  ],
  [
    'the order id as a reference',
    { orders: [paidOut('o-1', 'N123')], lines: [debit('l', { references: ['o-1'] })] },
    ['1-1-0 matched reference'],
  ],
  [
    'the order id in the text only',
    { orders: [paidOut('o1', 'N123')], lines: [debit('l', { text: 'o1' })] },
    ['0-1-0 unmatched-line - missing-at-provider', '1-0-0 awaited -'],
  ],
  [
    'the transaction id as a reference',
    { orders: [paidOut('o', null, { transactionId: 't-1' })], lines: [debit('l', { references: ['t-1'] })] },
    ['1-1-0 matched reference'],
  ],
  [
    'the surer rule, where a line names two orders',
    {
      orders: [paidOut('o1', 'U1'), paidOut('o2', 'U2')],
      lines: [debit('l', { references: ['U1', 'o2'], text: 'U2' })],
    },
    ['1-0-0 awaited -', '1-1-0 matched utr'],
  ],
  ['amount and day', { orders: [paidOut('o', null)], lines: [debit('l')] }, ['1-1-0 matched amount-and-day']],
  [
    'amount and day in other digits',
    { orders: [paidOut('o', null, fiat('100'))], lines: [debit('l')] },
    ['1-1-0 matched amount-and-day'],
  ],
  [
    'amount and day of an order with a utr',
    { orders: [paidOut('o', 'U1')], lines: [debit('l')] },
    ['0-1-0 unmatched-line - missing-at-provider', '1-0-0 awaited -'],
  ],
  [
    'amount and day of a line with a reference',
    { orders: [paidOut('o', null)], lines: [debit('l', { references: ['X'] })] },
    ['0-1-0 unmatched-line - missing-at-provider unknown-reference', '1-0-0 awaited -'],
  ],
  [
    "amount and day of a line that the bank's own references alone are on",
    { orders: [paidOut('o', null)], lines: [debit('l', { references: ['FT1', 'X2'], ownReferences: ['FT1', 'X2'] })] },
    ['1-1-0 matched amount-and-day'],
  ],
  [
    "amount and day of a line with a reference beside the bank's own",
    { orders: [paidOut('o', null)], lines: [debit('l', { references: ['FT1', 'X2'], ownReferences: ['FT1'] })] },
    ['0-1-0 unmatched-line - missing-at-provider unknown-reference', '1-0-0 awaited -'],
  ],
  ...[
    '412345678901',
    '4123456789012345',
    'HDFCN26069123456',
    'HDFCR52026031012345678',
    'NEFT-HDFCN26069123456',
    'IMPS/412345678901',
    '412345678901-1',
    'UTR412345678901',
    'NEFTHDFCN26069123456789',
    'RTGS HDFCR52026031012345678',
    'NEFTHDFCR2026B031C12345D67',
  ].map((utr): Case => [
    `amount and day of a line with the utr of somebody else, ${utr}, where the bank names its own entry`,
    { orders: [paidOut('o', null)], lines: [debit('l', { references: [utr], ownReferences: [utr] })] },
    ['0-1-0 unmatched-line - missing-at-provider unknown-reference', '1-0-0 awaited -'],
  ]),
  ...['NEFT DR HDFCN26069123456 ACME', 'UPI/412345678901/ACME', 'IMPS412345678901'].map((text): Case => [
    `amount and day of a line with the utr of somebody else in its text, ${text}, beside the bank's own reference`,
    {
      orders: [paidOut('o', null)],
      lines: [debit('l', { references: ['0000012345'], ownReferences: ['0000012345'], text })],
    },
    ['0-1-0 unmatched-line - missing-at-provider unknown-reference', '1-0-0 awaited -'],
  ]),
  [
    "amount and day of a line with words and short numbers in its text beside the bank's own reference",
    {
      orders: [paidOut('o', null)],
      lines: [
        debit('l', {
          references: ['FT-12'],
          ownReferences: ['FT-12'],
          text: 'PAYOUT 4711 ON 20260310 INTERNATIONALLY',
        }),
      ],
    },
    ['1-1-0 matched amount-and-day'],
  ],
  ...['UEBERWEISUNGSGUTSCHRIFT', 'c0ffee00c0ffee00c0ffee00c0ffee00'].map((word): Case => [
    `amount and day of a line with a word that can be no utr, ${word}, beside the bank's own reference`,
    {
      orders: [paidOut('o', null)],
      lines: [debit('l', { references: ['FT-12'], ownReferences: ['FT-12'], text: word })],
    },
    ['1-1-0 matched amount-and-day'],
  ]),
  [
    'amount and day of a line that the bank numbers by its day',
    {
      orders: [paidOut('o', null)],
      lines: [debit('l', { references: ['202603100001'], ownReferences: ['202603100001'] })],
    },
    ['1-1-0 matched amount-and-day'],
  ],
  [
    "a utr that stands where the bank's own references do",
    {
      orders: [paidOut('o', 'U1'), paidOut('p', null)],
      lines: [debit('l', { references: ['U1'], ownReferences: ['U1'] })],
    },
    ['1-0-0 awaited -', '1-1-0 matched utr'],
  ],
  [
    'amount on another day',
    { orders: [paidOut('o', null)], lines: [debit('l', { bookedOn: day('2026-03-11') })] },
    ['0-1-0 unmatched-line - missing-at-provider', '1-0-0 awaited -'],
  ],
  [
    'two orders of one amount and day',
    { orders: [paidOut('o1', null), paidOut('o2', null)], lines: [debit('l')] },
    ['2-1-0 ambiguous amount-and-day ambiguous'],
  ],
  [
    'two lines of one amount and day',
    { orders: [paidOut('o', null)], lines: [debit('l1'), debit('l2')] },
    ['1-2-0 ambiguous amount-and-day ambiguous'],
  ],
  [
    'a second line that names its order',
    { orders: [paidOut('o', null)], lines: [debit('l1'), debit('l2', { references: ['o'] })] },
    ['0-1-0 unmatched-line - missing-at-provider', '1-1-0 matched reference'],
  ],
  // One and several.
  [
    'one line for two payouts',
    {
      orders: [paidOut('o1', 'U1', fiat('60')), paidOut('o2', 'U2', fiat('40'))],
      lines: [debit('l', { references: ['U1', 'U2'] })],
    },
    ['2-1-0 matched utr'],
  ],
  [
    'two lines for one payout',
    {
      orders: [paidOut('o', 'U1')],
      lines: [debit('l1', { references: ['U1'], ...amount('60') }), debit('l2', { text: 'U1', ...amount('40') })],
    },
    ['1-2-0 matched utr-in-text'],
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
  // On chain.
  [
    'a transfer, whatever the letter case',
    { orders: [completed('o', '0xAB')], transfers: [transferOf('0xab')] },
    ['1-0-1 matched txn-hash'],
  ],
  [
    'one wei too little',
    {
      orders: [completed('o', '0xab')],
      transfers: [transferOf('0xab', { baseUnits: branded<BaseUnits>('9999999999999999') })],
    },
    ['1-0-1 break txn-hash amount-under'],
  ],
  [
    'another token',
    { orders: [completed('o', '0xab')], transfers: [transferOf('0xab', { token: branded<Address>('0xcc') })] },
    ['1-0-1 break txn-hash token-mismatch'],
  ],
  [
    'another wallet',
    { orders: [completed('o', '0xab')], transfers: [transferOf('0xab', { to: branded<Address>('0xcc') })] },
    ['1-0-1 break txn-hash recipient-mismatch'],
  ],
  [
    'a transaction that failed',
    { orders: [completed('o', '0xab')], transfers: [transferOf('0xab', { status: 'failed' })] },
    ['1-0-1 break txn-hash missing-on-chain'],
  ],
  ['a transfer of no order', { transfers: [transferOf('0xab')] }, ['0-0-1 unmatched-transfer - missing-at-provider']],
  [
    'one transaction for two orders',
    { orders: [completed('o1', '0xab'), completed('o2', '0xab')], transfers: [transferOf('0xab')] },
    ['2-0-1 break txn-hash duplicate'],
  ],
  [
    'a receipt at the bank and a transfer',
    {
      orders: [completed('o', '0xab')],
      lines: [debit('l', { references: ['o'], direction: 'in' })],
      transfers: [transferOf('0xab')],
    },
    ['1-1-1 matched reference'],
  ],
];

describe('items of the match', () => {
  for (const [what, sources, items, settings] of CASES) {
    it(what, () => {
      expect(itemsOf(sources, settings).map(shown).toSorted()).to.deep.equal(items.toSorted());
    });
  }
});
