import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { either as E } from 'fp-ts';
import * as t from 'io-ts';
import { INGEST_MODES } from './ingest-mode.ts';
import { ingestTable } from './ingest-table.ts';
import { measureIngest } from './ingest.ts';
import { ownResources } from './owned-resources.ts';

const IngestArguments = t.intersection([
  t.type({ seconds: t.number, rounds: t.number }),
  t.partial({
    orders: t.union([t.literal('distinct'), t.literal('duplicates'), t.literal('four')]),
    deliveries: t.number,
    noiseFloor: t.boolean,
    ledgerNode: t.array(t.string),
    json: t.boolean,
  }),
]);

const FAILED = 1;
const WRONG_USAGE = 2;

const between =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < least || value > most) {
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    }
    return value;
  };

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const ingest = async (given: unknown): Promise<void> => {
  const decoded = IngestArguments.decode(given);
  if (E.isLeft(decoded)) throw new Error('the options could not be read');
  const { orders, seconds, rounds, deliveries = null, noiseFloor = false, ledgerNode = [], json } = decoded.right;
  const modes = orders === undefined ? INGEST_MODES : [orders];
  const options = { modes, seconds, rounds, deliveries, noiseFloor, ledgerNodeArguments: ledgerNode };
  const result = await measureIngest(ownResources(), options, say);
  const text = json === true ? JSON.stringify(result) : `\n${ingestTable(result, deliveries !== null)}`;
  process.stdout.write(`${text}\n`);
};

const program = new Command('npm run bench --')
  .description('Benchmarks, each a ratio against a baseline that is measured in the same run. Without a name: all.')
  .exitOverride();
program
  .command('ingest', { isDefault: true })
  .description('deliveries per second, each durable before its reply, beside a bare Koa server')
  .addOption(new Option('--orders <mode>', 'what is delivered; without it, one after the other').choices(INGEST_MODES))
  .addOption(
    new Option('--seconds <n>', 'length of each measured stretch, 1 to 10').default(3).argParser(between(1, 10)),
  )
  .addOption(new Option('--rounds <n>', 'pairs of stretches, 1 to 100').default(5).argParser(between(1, 100)))
  .addOption(
    new Option('--deliveries <n>', 'so many to the ledger in each mode, watching its memory')
      .argParser(between(1_000, 100_000_000))
      .conflicts(['seconds', 'rounds']),
  )
  .option('--noise-floor', 'the bare server against itself: how far from 1 a ratio strays on this machine')
  .option('--ledger-node <argument...>', "an argument for the ledger's Node, as --cpu-prof is; repeatable")
  .option('--json', 'print nothing but JSON on standard output')
  .addHelpText('after', '\nExample: npm run -s bench -- ingest --orders distinct --rounds 9 --json')
  .action(ingest)
  .exitOverride();

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : WRONG_USAGE;
  } else {
    say(error instanceof Error ? error.message : String(error));
    process.exitCode = FAILED;
  }
}
// Servers of a failed run are still there, and would keep this process from ending; they go with its exit.
process.exit();
