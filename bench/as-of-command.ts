import { Option } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { asOfTable } from './as-of-table.ts';
import { measureAsOf } from './as-of.ts';
import { printResult, type BenchCommand } from './bench-command.ts';
import { LedgerArguments, ledgerSource, withLedgerOptions } from './ledger-options.ts';
import { wholeNumber } from './whole-number.ts';

const Arguments = t.intersection([LedgerArguments, t.type({ rounds: t.number }), t.partial({ json: t.boolean })]);

const ORDERS = 1_000_000;
/** Beyond so many, orders of four events each would only be more events. */
const MOST_WHOLE = 250_000;

/** `asof` */
export const asOfCommand: BenchCommand = (command, { owned, note }) =>
  withLedgerOptions(
    command.description('reports and lists as of moments, beside those of now and a plain pass over the log'),
    ORDERS,
  )
    .addOption(
      new Option('--rounds <n>', 'starts of a ledger for each distance').default(2).argParser(wholeNumber(1, 100)),
    )
    .option('--json', 'print nothing but JSON on standard output')
    .addHelpText(
      'after',
      `
Examples:
  npm run -s bench -- asof --orders 100000
  npm run -s bench -- asof --data /var/tmp/million-orders --json`,
    )
    .action(async (given: unknown) => {
      const decoded = Arguments.decode(given);
      if (E.isLeft(decoded)) throw new Error('the options could not be read');
      const { orders, rounds, json } = decoded.right;
      const source = ledgerSource(decoded.right, orders > MOST_WHOLE ? 'mostly-last' : 'some-open');
      printResult(await measureAsOf(owned, { source, rounds }, note), json === true, asOfTable);
    });
