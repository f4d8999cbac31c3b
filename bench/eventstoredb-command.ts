import { Option } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { MOST_IN_FLIGHT } from './append-scene.ts';
import { printResult, type BenchCommand } from './bench-command.ts';
import { eventStoreDbTable } from './eventstoredb-table.ts';
import { measureEventStoreDb } from './eventstoredb.ts';
import { wholeNumber } from './whole-number.ts';

const Arguments = t.intersection([
  t.type({ seconds: t.number, rounds: t.number }),
  t.partial({ url: t.string, inFlight: t.array(t.number), json: t.boolean }),
]);

const IN_FLIGHT = [128, 256];
const oneInFlight = wholeNumber(1, MOST_IN_FLIGHT);

/** `eventstoredb` */
export const eventStoreDbCommand: BenchCommand = (command, { owned, note }) =>
  command
    .description("appends per second through the ledger on EventStoreDB, beside the raw client's own")
    .option('--url <url>', 'a server, as EVENT_STORE_URL names one; nothing on it is deleted. Without it, a double')
    .addOption(
      new Option('--in-flight <n...>', `appends under way at once (default: ${IN_FLIGHT.join(' ')})`).argParser(
        (text, earlier: readonly number[] | undefined) => [...(earlier ?? []), oneInFlight(text)],
      ),
    )
    .addOption(
      new Option('--seconds <n>', 'length of each measured stretch, 1 to 10').default(2).argParser(wholeNumber(1, 10)),
    )
    .addOption(
      new Option('--rounds <n>', 'of all kinds of appends, 1 to 100').default(5).argParser(wholeNumber(1, 100)),
    )
    .option('--json', 'print nothing but JSON on standard output')
    .addHelpText(
      'after',
      `
Examples:
  npm run -s bench -- eventstoredb --in-flight 128 --rounds 9 --json
  npm run -s bench -- eventstoredb --url 'esdb://localhost:2113?tls=false' --in-flight 64 512`,
    )
    .action(async (given: unknown) => {
      const decoded = Arguments.decode(given);
      if (E.isLeft(decoded)) throw new Error('the options could not be read');
      const { url = null, inFlight = IN_FLIGHT, seconds, rounds, json } = decoded.right;
      const result = await measureEventStoreDb(owned, { url, inFlight, seconds, rounds }, note);
      printResult(result, json === true, eventStoreDbTable);
    });
