import { Big } from 'big.js';
import type { ChainMovement } from './chain-movements.ts';

const DECIMALS = 18;

const HEADER = [
  'Transaction Hash',
  'Blockno',
  'UnixTimestamp',
  'DateTime (UTC)',
  'From',
  'To',
  'TokenValue',
  'ContractAddress',
  'TokenDecimal',
  'Status',
];

const row = ({ txnHash, block, atMs, from, to, baseUnits, token, succeeded }: ChainMovement): readonly string[] => [
  txnHash,
  String(block),
  String(Math.floor(atMs / 1_000)),
  new Date(atMs).toISOString().slice(0, 19).replace('T', ' '),
  from,
  to,
  new Big(baseUnits.toString()).times(`1e-${DECIMALS}`).toFixed(),
  token ?? '',
  String(DECIMALS),
  succeeded ? 'Success' : 'Failed',
];

/** Transfers of one chain as an explorer exports them; every token of the sandbox's has 18 decimals. */
export const explorerFile = (movements: readonly ChainMovement[]): string =>
  [HEADER, ...movements.map(row)].map((cells) => `${cells.map((cell) => `"${cell}"`).join(',')}\r\n`).join('');
