import type { Address } from '../../../src/domain/transfer.ts';
import { branded } from '../../../src/domain/brand.ts';
import type { BaseUnits } from '../../../src/domain/decimal.ts';
import { type Case, holdCases } from './match-cases.ts';
import { completed, debit, transferOf } from './match-scene.ts';

const CASES: readonly Case[] = [
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

describe('items of the match: transfers', () => holdCases(CASES));
