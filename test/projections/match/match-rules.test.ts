import { amount, type Case, fiat, holdCases } from './match-cases.ts';
import { day, debit, failedPayout, paidOut } from './match-scene.ts';

const CASES: readonly Case[] = [
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
  ...[
    'NEFT DR HDFCN26069123456 ACME',
    'UPI/412345678901/ACME',
    'IMPS412345678901',
    '41234 5678901',
    'UTR41234567 8901',
    'NEFTSBIN22606 9123456',
  ].map((text): Case => [
    `amount and day of a line with the utr of somebody else in its text, ${text}, and without a reference`,
    { orders: [paidOut('o', null)], lines: [debit('l', { text })] },
    ['0-1-0 unmatched-line - missing-at-provider', '1-0-0 awaited -'],
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
];

describe('items of the match: rules', () => holdCases(CASES));
