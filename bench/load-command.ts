import { Option } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { printResult, type BenchCommand } from './bench-command.ts';
import { loadTable } from './load-table.ts';
import { measureLoad } from './load.ts';
import { wholeNumber } from './whole-number.ts';

const Arguments = t.intersection([t.type({ rate: t.number, seconds: t.number }), t.partial({ json: t.boolean })]);

/** `load`; it fails where a report is not what was delivered. */
export const loadCommand: BenchCommand = (command, { owned, note }) =>
  command
    .description('the sandbox drives the ledger at a steady rate, and its reports must be what the sandbox sent')
    .addOption(new Option('--rate <n>', 'webhooks a second').default(500).argParser(wholeNumber(1, 100_000)))
    .addOption(new Option('--seconds <n>', 'length of the run').default(20).argParser(wholeNumber(1, 86_400)))
    .option('--json', 'print nothing but JSON on standard output')
    .addHelpText(
      'after',
      `
Examples:
  npm run -s bench -- load --rate 2000
  npm run -s bench -- load --seconds 600          a soak: memory must stay flat
  npm run -s bench -- load --rate 100 --seconds 5 --json`,
    )
    .action(async (given: unknown) => {
      const decoded = Arguments.decode(given);
      if (E.isLeft(decoded)) throw new Error('the options could not be read');
      const { rate, seconds, json } = decoded.right;
      printResult(await measureLoad(owned, { rate, seconds }, note), json === true, loadTable);
    });
