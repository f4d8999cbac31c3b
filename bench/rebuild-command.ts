import { Option } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { printResult, type BenchCommand } from './bench-command.ts';
import { LedgerArguments, ledgerSource, withLedgerOptions } from './ledger-options.ts';
import { rebuildTable } from './rebuild-table.ts';
import { measureRebuild } from './rebuild.ts';
import { wholeNumber } from './whole-number.ts';

const Arguments = t.intersection([
  LedgerArguments,
  t.type({ rounds: t.number }),
  t.partial({ also: t.number, json: t.boolean }),
]);

/** Four events each. */
const ORDERS = 250_000;

/** `rebuild` */
export const rebuildCommand: BenchCommand = (command, { owned, note }) =>
  withLedgerOptions(
    command.description('events per second of a rebuild of all read models, beside a plain pass over the same events'),
    ORDERS,
  )
    .addOption(
      new Option('--also <n>', 'so many orders first: the time of an event must not grow').argParser(
        wholeNumber(1_000, 10_000_000),
      ),
    )
    .addOption(
      new Option('--rounds <n>', 'of a plain pass and a rebuild each').default(3).argParser(wholeNumber(1, 100)),
    )
    .option('--json', 'print nothing but JSON on standard output')
    .addHelpText('after', '\nExample: npm run -s bench -- rebuild --also 25000 --json')
    .action(async (given: unknown) => {
      const decoded = Arguments.decode(given);
      if (E.isLeft(decoded)) throw new Error('the options could not be read');
      const { rounds, also = null, json } = decoded.right;
      const result = await measureRebuild(owned, { source: ledgerSource(decoded.right, 'all'), also, rounds }, note);
      printResult(result, json === true, rebuildTable);
    });
