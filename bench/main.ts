import { fileURLToPath } from 'node:url';
import { Command, CommanderError } from 'commander';
import { asOfCommand } from './as-of-command.ts';
import type { BenchCommand } from './bench-command.ts';
import { consoleCommand } from './console-command.ts';
import { drainingCommand } from './draining-command.ts';
import { eventStoreDbCommand } from './eventstoredb-command.ts';
import { exportCommand } from './export-command.ts';
import { ingestCommand } from './ingest-command.ts';
import { loadCommand } from './load-command.ts';
import { matchCommand } from './match-command.ts';
import { ownResources } from './owned-resources.ts';
import { proofsCommand } from './proofs-command.ts';
import { queryCommand } from './query-command.ts';
import { rebuildCommand } from './rebuild-command.ts';
import { verifyCommand } from './verify-command.ts';

const FAILED = 1;
const WRONG_USAGE = 2;

/** In the order in which they run where none is named. */
const BENCHMARKS: Readonly<Record<string, BenchCommand>> = {
  ingest: ingestCommand,
  rebuild: rebuildCommand,
  query: queryCommand,
  asof: asOfCommand,
  console: consoleCommand,
  verify: verifyCommand,
  proofs: proofsCommand,
  export: exportCommand,
  eventstoredb: eventStoreDbCommand,
  draining: drainingCommand,
  match: matchCommand,
  load: loadCommand,
};

// Threads of builds and verifications take compiled code from where those of the program take it (src/ramp-ledger.mjs): else
// each of them reads all of its TypeScript first.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../node_modules/.cache/ramp-ledger', import.meta.url));

const note = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const owned = ownResources();

const benchmarks = Object.entries(BENCHMARKS).map(([name, benchmark]) =>
  benchmark(new Command(name).exitOverride(), { owned, note }),
);

const program = new Command('npm run bench --')
  .description(
    'Benchmarks, each a ratio against a baseline that is measured in the same run, or figures beside their goals.',
  )
  .exitOverride();
for (const benchmark of benchmarks) program.addCommand(benchmark);
program
  .command('all', { isDefault: true })
  .description('one after the other, each as it runs without options; some quarter of an hour')
  .option('--json', 'print nothing but JSON on standard output, a line for each benchmark')
  .action(async ({ json }: { readonly json?: true }) => {
    for (const benchmark of benchmarks) {
      await benchmark.parseAsync(json === true ? ['--json'] : [], { from: 'user' });
    }
  })
  .exitOverride();

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : WRONG_USAGE;
  } else {
    note(error instanceof Error ? error.message : String(error));
    process.exitCode = FAILED;
  }
}
// After a failed run its servers still run and would keep this process alive; its exit ends them.
process.exit();
