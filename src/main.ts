import type { CommandContext } from './cli/command-context.ts';
import { runCommandLine } from './cli/run-command-line.ts';
import { newRequestId } from './composition/application.ts';
import { openForMigration } from './composition/open-for-migration.ts';
import { demo } from './composition/demo.ts';
import { diagnose } from './composition/diagnosis/diagnose.ts';
import { openLedger } from './composition/open-ledger.ts';
import { openUpstream } from './composition/open-upstream.ts';
import { serveSandbox } from './composition/serve-sandbox.ts';
import { serve } from './composition/serve.ts';
import { undoneWhenEnded } from './composition/undone-when-ended.ts';
import { systemClock } from './telemetry/system-clock.ts';

const now = systemClock();

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
  openLedger,
  openForMigration,
  openUpstream,
  diagnose: () => diagnose(process.env, now),
  serve,
  sandbox: serveSandbox,
  demo,
};

// Orders are personal data: what is written is for its owner only, whatever the shell would allow.
process.umask(0o077);
process.exitCode = await runCommandLine(context, process.argv.slice(2));
