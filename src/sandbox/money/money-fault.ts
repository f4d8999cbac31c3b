import * as E from 'fp-ts/lib/Either.js';

/** What can differ between an order and what bank and chain say of it, by name, and what each does. */
export const MONEY_FAULTS = {
  'bank-missing': 'the bank has no line for an order',
  'bank-doubled': 'the bank paid, or took in, twice',
  'bank-paisa': 'the line is off by a hundredth',
  'bank-late': 'the line is booked five days after the settlement',
  'bank-reversed': 'the bank takes the payout back on the next day',
  'bank-together': 'one line for two payouts of a day; nothing is wrong with it',
  'bank-split': 'two lines for one payout; nothing is wrong with it',
  'bank-deducted': 'the tax or the commission was taken off, or a fee of 5',
  'bank-currency': 'the payout is on the account of another currency',
  'bank-failed-paid': 'the bank paid what the provider calls failed',
  'bank-unknown': 'beside it stands a line that no order knows',
  'chain-missing': 'the chain has no transfer for an order',
  'chain-wallet': 'the tokens went to another wallet',
  'chain-token': 'other tokens were sent',
  'chain-unit': 'one base unit less was sent',
  'chain-failed': 'the transaction failed',
  'chain-unknown': 'beside it stands a transfer that no order knows',
} as const;

export type MoneyFault = keyof typeof MONEY_FAULTS;

export type MoneyFaults = ReadonlySet<MoneyFault>;

const isMoneyFault = (name: string): name is MoneyFault => Object.hasOwn(MONEY_FAULTS, name);

/** Every one of them. */
export const EVERY_MONEY_FAULT: MoneyFaults = new Set(Object.keys(MONEY_FAULTS).filter(isMoneyFault));

/** Reads names of faults; `all` is each of them. An unknown one is answered in one line that names the right ones. */
export const readMoneyFaults = (names: readonly string[]): E.Either<string, MoneyFaults> => {
  if (names.includes('all')) return E.right(EVERY_MONEY_FAULT);
  const unknown = names.find((name) => !isMoneyFault(name));
  return unknown === undefined
    ? E.right(new Set(names.filter(isMoneyFault)))
    : E.left(
        `${JSON.stringify(unknown.slice(0, 64))} is no fault; expected all, ${Object.keys(MONEY_FAULTS).join(', ')}`,
      );
};
