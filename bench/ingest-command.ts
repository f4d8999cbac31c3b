import { Option } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { printResult, type BenchCommand } from './bench-command.ts';
import { INGEST_MODES } from './ingest-mode.ts';
import { ingestTable } from './ingest-table.ts';
import { measureIngest } from './ingest.ts';
import { wholeNumber } from './whole-number.ts';

const Arguments = t.intersection([
  t.type({ seconds: t.number, rounds: t.number }),
  t.partial({
    orders: t.union([t.literal('distinct'), t.literal('duplicates'), t.literal('four')]),
    deliveries: t.number,
    noiseFloor: t.boolean,
    ledgerNode: t.array(t.string),
    json: t.boolean,
  }),
]);

/** `ingest` */
export const ingestCommand: BenchCommand = (command, { owned, note }) =>
  command
    .description('deliveries per second, each durable before its reply, beside a bare Koa server')
    .addOption(
      new Option('--orders <mode>', 'what is delivered; without it, one after the other').choices(INGEST_MODES),
    )
    .addOption(
      new Option('--seconds <n>', 'length of each measured stretch, 1 to 10').default(3).argParser(wholeNumber(1, 10)),
    )
    .addOption(new Option('--rounds <n>', 'pairs of stretches, 1 to 100').default(5).argParser(wholeNumber(1, 100)))
    .addOption(
      new Option('--deliveries <n>', 'so many to the ledger in each mode, with figures every 100,000')
        .argParser(wholeNumber(1_000, 100_000_000))
        .conflicts(['rounds']),
    )
    .option('--noise-floor', 'the bare server against itself: how far from 1 a ratio strays on this machine')
    .option('--ledger-node <argument...>', "an argument for the ledger's Node, as --cpu-prof is; repeatable")
    .option('--json', 'print nothing but JSON on standard output')
    .addHelpText('after', '\nExample: npm run -s bench -- ingest --orders distinct --rounds 9 --json')
    .action(async (given: unknown) => {
      const decoded = Arguments.decode(given);
      if (E.isLeft(decoded)) throw new Error('the options could not be read');
      const { orders, seconds, rounds, deliveries = null, noiseFloor = false, ledgerNode = [], json } = decoded.right;
      const modes = orders === undefined ? INGEST_MODES : [orders];
      const options = { modes, seconds, rounds, deliveries, noiseFloor, ledgerNodeArguments: ledgerNode };
      const result = await measureIngest(owned, options, note);
      printResult(result, json === true, (it) => ingestTable(it, deliveries !== null));
    });
