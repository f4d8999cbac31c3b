import { Option } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { printResult, type BenchCommand } from './bench-command.ts';
import { consoleTable } from './console-table.ts';
import { measureConsole } from './console.ts';
import { LedgerArguments, ledgerSource, withLedgerOptions } from './ledger-options.ts';
import { wholeNumber } from './whole-number.ts';

const Arguments = t.intersection([LedgerArguments, t.type({ requests: t.number }), t.partial({ json: t.boolean })]);

const ORDERS = 1_000_000;

/** `console` */
export const consoleCommand: BenchCommand = (command, { owned, note }) =>
  withLedgerOptions(command.description('time that pages of the console take on the server'), ORDERS)
    .addOption(new Option('--requests <n>', 'of each page').default(200).argParser(wholeNumber(10, 100_000)))
    .option('--json', 'print nothing but JSON on standard output')
    .addHelpText('after', '\nExample: npm run -s bench -- console --data /var/tmp/million-orders --json')
    .action(async (given: unknown) => {
      const decoded = Arguments.decode(given);
      if (E.isLeft(decoded)) throw new Error('the options could not be read');
      const { requests, json } = decoded.right;
      const source = ledgerSource(decoded.right, 'mostly-last');
      printResult(await measureConsole(owned, { source, requests }, note), json === true, consoleTable);
    });
