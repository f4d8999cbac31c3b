import { Option } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { alignedColumns } from './aligned-columns.ts';
import { printResult, type BenchCommand } from './bench-command.ts';
import { LedgerArguments, ledgerSource, withLedgerOptions } from './ledger-options.ts';
import { measureMatch, type MatchResult } from './match.ts';
import { mib, whole } from './number-text.ts';
import { wholeNumber } from './whole-number.ts';

const Arguments = t.intersection([LedgerArguments, t.type({ lines: t.number }), t.partial({ json: t.boolean })]);

const ORDERS = 100_000;
const LINES = 100_000;
const askedText = ({ p50, p99 }: MatchResult['summaryMs']): string => `${p50.toFixed(2)}, ${p99.toFixed(2)}`;

const processorText = ({ processorOfALine: { all, threads } }: MatchResult): string => {
  const most = Object.entries(threads).toSorted(([, a], [, b]) => b - a);
  return `${whole(all)}: ${most.map(([thread, used]) => `${thread} ${whole(used)}`).join(', ')}`;
};

const matchTable = (result: MatchResult): string =>
  [
    `match: ${result.subject}, beside a ${result.baseline}`,
    '',
    ...alignedColumns([
      ['', `${whole(result.lines)} lines, ${whole(result.orders)} orders`],
      ['plain pass, seconds', result.baselineSeconds.toFixed(2)],
      ['until the import was answered, seconds', result.importedSeconds.toFixed(2)],
      [`until all was matched, seconds (goal ${result.goalSeconds} for 100,000)`, result.matchedSeconds.toFixed(2)],
      ['ratio', result.ratio.toFixed(4)],
      ['items of orders with lines', whole(result.joined)],
      [
        `a delivery until it was listed meanwhile, ms, median and most of ${whole(result.lagMs.deliveries)}`,
        `${whole(result.lagMs.median)}, ${whole(result.lagMs.most)}`,
      ],
      ['µs of processor time a line', processorText(result)],
      ['summary, p50 and p99 ms', askedText(result.summaryMs)],
      ['page of items, p50 and p99 ms', askedText(result.itemsMs)],
      ['MiB before, at most', `${mib(result.rssBefore)}, ${mib(result.peakRss)}`],
    ]),
  ].join('\n');

/** `match` */
export const matchCommand: BenchCommand = (command, { owned, note }) =>
  withLedgerOptions(
    command.description(
      'seconds that bank files take to be imported and matched while deliveries arrive, beside a plain pass that parses them',
    ),
    ORDERS,
  )
    .addOption(
      new Option('--lines <n>', 'of the files, each of which has 100,000 at the most')
        .default(LINES)
        .argParser(wholeNumber(100, 1_000_000)),
    )
    .option('--json', 'print nothing but JSON on standard output')
    .addHelpText('after', '\nExample: npm run -s bench -- match --orders 20000 --lines 20000 --json')
    .action(async (given: unknown) => {
      const decoded = Arguments.decode(given);
      if (E.isLeft(decoded)) throw new Error('the options could not be read');
      const { lines, json } = decoded.right;
      const result = await measureMatch(owned, { source: ledgerSource(decoded.right, 'all'), lines }, note);
      printResult(result, json === true, matchTable);
    });
