import { Option } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { alignedColumns } from './aligned-columns.ts';
import { printResult, type BenchCommand } from './bench-command.ts';
import { measureDraining, type DrainingResult } from './draining.ts';
import { whole } from './number-text.ts';
import type { Spread } from './spread.ts';
import { wholeNumber } from './whole-number.ts';

const Arguments = t.intersection([
  t.type({ deliveries: t.number, rounds: t.number }),
  t.partial({ url: t.string, json: t.boolean }),
]);

const row = (title: string, { median, min, max }: Spread, text: (value: number) => string): readonly string[] => [
  title,
  text(median),
  `${text(min)} to ${text(max)}`,
];

const drainingTable = ({
  subject,
  baseline,
  deliveries,
  perSecond,
  baselinePerSecond,
  ratio,
}: DrainingResult): string =>
  [
    `draining: ${subject}, beside the ${baseline}; ${whole(deliveries)} deliveries each time`,
    '',
    ...alignedColumns([
      ['', 'per second', 'min to max'],
      row(baseline, baselinePerSecond, whole),
      row(subject, perSecond, whole),
      row('ratio', ratio, (value) => value.toFixed(3)),
    ]),
  ].join('\n');

/** `draining` */
export const drainingCommand: BenchCommand = (command, { owned, note }) =>
  command
    .description('deliveries per second from a spool to EventStoreDB, beside what the raw client appends')
    .option('--url <url>', 'a server, as EVENT_STORE_URL names one; nothing on it is deleted. Without it, a double')
    .addOption(
      new Option('--deliveries <n>', 'that wait at first, 100 to 100000')
        .default(5_000)
        .argParser(wholeNumber(100, 100_000)),
    )
    .addOption(new Option('--rounds <n>', '1 to 100').default(5).argParser(wholeNumber(1, 100)))
    .option('--json', 'print nothing but JSON on standard output')
    .addHelpText('after', '\nExample: npm run -s bench -- draining --deliveries 20000 --json')
    .action(async (given: unknown) => {
      const decoded = Arguments.decode(given);
      if (E.isLeft(decoded)) throw new Error('the options could not be read');
      const { url = null, deliveries, rounds, json } = decoded.right;
      const result = await measureDraining(owned, { url, deliveries, rounds }, note);
      printResult(result, json === true, drainingTable);
    });
