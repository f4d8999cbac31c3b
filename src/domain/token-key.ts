import { hexKey } from './transfer.ts';

/** Addresses that stand for a chain's own coin, which has no contract. */
const NATIVE: ReadonlySet<string> = new Set([
  '',
  '0x0000000000000000000000000000000000000000',
  '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
  '0x0000000000000000000000000000000000001010',
]);

/** One spelling of a token: its contract's address in lower case; empty for the chain's own coin, however a source names it. */
export const tokenKey = (address: string | null): string => {
  const key = address === null ? '' : hexKey(address);
  return NATIVE.has(key) ? '' : key;
};
