import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { printResult, type BenchCommand } from './bench-command.ts';
import { exportTable } from './export-table.ts';
import { measureExport } from './export.ts';
import { LedgerArguments, ledgerSource, withLedgerOptions } from './ledger-options.ts';

const Arguments = t.intersection([LedgerArguments, t.partial({ json: t.boolean })]);

/** Four events each: a million rows of the log. */
const ORDERS = 250_000;

/** `export` */
export const exportCommand: BenchCommand = (command, { owned, note }) =>
  withLedgerOptions(
    command.description('rows per second of each export, memory while it is downloaded, and what deliveries notice'),
    ORDERS,
  )
    .option('--json', 'print nothing but JSON on standard output')
    .addHelpText('after', '\nExample: npm run -s bench -- export --orders 1000000 --json')
    .action(async (given: unknown) => {
      const decoded = Arguments.decode(given);
      if (E.isLeft(decoded)) throw new Error('the options could not be read');
      const result = await measureExport(owned, ledgerSource(decoded.right, 'all'), note);
      printResult(result, decoded.right.json === true, exportTable);
    });
