import { Option } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { printResult, type BenchCommand } from './bench-command.ts';
import { LedgerArguments, ledgerSource, withLedgerOptions } from './ledger-options.ts';
import { queryTable } from './query-table.ts';
import { measureQuery } from './query.ts';
import { wholeNumber } from './whole-number.ts';

const Arguments = t.intersection([
  LedgerArguments,
  t.type({ seconds: t.number, rate: t.number, connections: t.number }),
  t.partial({ json: t.boolean }),
]);

const ORDERS = 1_000_000;
/** Beyond so many, orders of four events each would only be more events. */
const MOST_WHOLE = 250_000;
/** Each kind is asked some 150 times then. In ten seconds it was 26 times, of which the 99th percentile is the longest. */
const SECONDS = 60;
/** Half of what the ledger takes in on two cores. */
const RATE = 4_000;
/** As many as fit into the memory of a small machine, at a little over a kilobyte each. */
const MOST_PREPARED = 300_000;

/** `query` */
export const queryCommand: BenchCommand = (command, { owned, note }) =>
  withLedgerOptions(
    command.description(
      'latency of every kind of question while deliveries arrive, and how far read models are behind',
    ),
    ORDERS,
  )
    .addOption(
      new Option('--seconds <n>', 'length of the measured stretch').default(SECONDS).argParser(wholeNumber(1, 600)),
    )
    .addOption(
      new Option('--rate <n>', 'deliveries per second meanwhile').default(RATE).argParser(wholeNumber(0, 100_000)),
    )
    .addOption(
      new Option('--connections <n>', 'with one question after the other').default(2).argParser(wholeNumber(1, 64)),
    )
    .option('--json', 'print nothing but JSON on standard output')
    .addHelpText(
      'after',
      `
Examples:
  npm run -s bench -- query --keep /var/tmp/million-orders
  npm run -s bench -- query --data /var/tmp/million-orders --seconds 20 --json`,
    )
    .action(async (given: unknown) => {
      const decoded = Arguments.decode(given);
      if (E.isLeft(decoded)) throw new Error('the options could not be read');
      const { orders, seconds, rate, connections, json } = decoded.right;
      if (seconds * rate > MOST_PREPARED) {
        command.error(
          `error: --seconds times --rate is ${seconds * rate}, and may be ${MOST_PREPARED} at most: give less of one`,
        );
      }
      const source = ledgerSource(decoded.right, orders > MOST_WHOLE ? 'mostly-last' : 'some-open');
      const result = await measureQuery(owned, { source, seconds, rate, connections }, note);
      printResult(result, json === true, queryTable);
    });
