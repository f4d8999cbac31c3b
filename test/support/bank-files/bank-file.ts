import type { StatementFormat } from '../../../src/statements/statement-format.ts';

/** A bank file of the tests, with what is needed to read it. */
export type BankFile = {
  readonly name: string;
  readonly format: StatementFormat;
  readonly bytes: Uint8Array;
  /** For tables. */
  readonly profile?: object;
  /** Whether value dates, reversals and balances can be had from it. */
  readonly tells: { readonly values: boolean; readonly reversals: boolean; readonly balances: boolean };
};

export const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
export const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
