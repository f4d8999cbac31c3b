import { Option, type Command } from 'commander';
import * as t from 'io-ts';
import type { LedgerSource } from './filled-ledger.ts';
import type { Steps } from './ledger-filler.ts';
import { wholeNumber } from './whole-number.ts';

/** What `withLedgerOptions` adds, as it is parsed. */
export const LedgerArguments = t.intersection([
  t.type({ orders: t.number }),
  t.partial({ keep: t.string, data: t.string }),
]);

/** The options of a benchmark that runs on a filled ledger. */
export const withLedgerOptions = (command: Command, orders: number): Command =>
  command
    .addOption(
      new Option('--orders <n>', 'orders of the ledger').default(orders).argParser(wholeNumber(1_000, 10_000_000)),
    )
    .option('--keep <dir>', 'fill this new directory, and leave it')
    .addOption(
      new Option('--data <dir>', 'a directory that was kept, in place of filling one').conflicts(['orders', 'keep']),
    );

/** Where the ledger comes from. */
export const ledgerSource = ({ orders, keep, data }: t.TypeOf<typeof LedgerArguments>, steps: Steps): LedgerSource => ({
  orders,
  steps,
  keep: keep ?? null,
  data: data ?? null,
});
