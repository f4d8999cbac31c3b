import type { CommandContext } from './cli/command-context.ts';
import { runCommandLine } from './cli/run-command-line.ts';
import { newRequestId } from './composition/new-request-id.ts';
import { undoneWhenEnded } from './composition/undone-when-ended.ts';
import { systemClock } from './telemetry/system-clock.ts';

const now = systemClock();

/** What a command stands on is loaded with it: half of the time that a command takes to start is loading what it does not use. */
const context: CommandContext = {
  terminal: {
    out: (text) => process.stdout.write(text),
    note: (text) => process.stderr.write(text),
    interactive: process.stderr.isTTY,
    coloured: process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === '',
  },
  now,
  newRequestId,
  undoneWhenEnded,
  openLedger: async () => (await import('./composition/open-ledger.ts')).openLedger(),
  openForMigration: async (urls) => (await import('./composition/open-for-migration.ts')).openForMigration(urls),
  openUpstream: async () => (await import('./composition/open-upstream.ts')).openUpstream(),
  diagnose: async () => (await import('./composition/doctor/diagnose.ts')).diagnose(process.env, now),
  serve: async () => (await import('./composition/serve.ts')).serve(),
  sandbox: async (options) => (await import('./composition/serve-sandbox.ts')).serveSandbox(options),
  demo: async () => (await import('./composition/demo.ts')).demo(),
};

// Orders are personal data: what is written is for its owner only, whatever the shell would allow.
process.umask(0o077);
process.exitCode = await runCommandLine(context, process.argv.slice(2));
