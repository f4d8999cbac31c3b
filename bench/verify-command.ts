import { Option } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { printResult, type BenchCommand } from './bench-command.ts';
import { LedgerArguments, ledgerSource, withLedgerOptions } from './ledger-options.ts';
import { verifyTable } from './verify-table.ts';
import { measureVerify } from './verify.ts';
import { wholeNumber } from './whole-number.ts';

const Arguments = t.intersection([LedgerArguments, t.type({ rounds: t.number }), t.partial({ json: t.boolean })]);

/** Four events each. */
const ORDERS = 250_000;
const FAILED = 1;

/** `verify`; it fails where verification finds anything. */
export const verifyCommand: BenchCommand = (command, { owned, note }) =>
  withLedgerOptions(
    command.description(
      'seconds that the verification of all events and read models takes, beside a plain pass of digests',
    ),
    ORDERS,
  )
    .addOption(
      new Option('--rounds <n>', 'of a plain pass and a verification each').default(3).argParser(wholeNumber(1, 100)),
    )
    .option('--json', 'print nothing but JSON on standard output')
    .addHelpText('after', '\nExample: npm run -s bench -- verify --orders 25000 --json')
    .action(async (given: unknown) => {
      const decoded = Arguments.decode(given);
      if (E.isLeft(decoded)) throw new Error('the options could not be read');
      const { rounds, json } = decoded.right;
      const result = await measureVerify(owned, { source: ledgerSource(decoded.right, 'all'), rounds }, note);
      printResult(result, json === true, verifyTable);
      if (result.failures > 0) process.exitCode = FAILED;
    });
