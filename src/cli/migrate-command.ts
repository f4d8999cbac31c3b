import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import type { MigrationFailure } from '../ledger/migrate-failure.ts';
import { migrate, type MigrationPhase, type OnMigrationProgress } from '../ledger/migrate.ts';
import { cellText } from './output/cell-text.ts';
import type { CommandContext, MigrationStores } from './command-context.ts';
import { failing, type CommandFailure } from './command-failure.ts';
import { done, statusOf, type ExitStatus } from './exit-status.ts';
import { progressBar, type ProgressBar } from './output/progress-bar.ts';
import { soMany } from '../domain/so-many.ts';

type Options = { readonly from?: string; readonly to?: string; readonly json?: true };

const EXAMPLES = `
Examples:
  ramp-ledger migrate --from sqlite:data/events.db     to the configured store
  ramp-ledger migrate --to sqlite:/backup/events.db    from the configured store; a second run adds what is new
  ramp-ledger migrate --from sqlite:old.db --to sqlite:new.db --json    {events, streams, verified}

URLs are those of EVENT_STORE_URL; the one that is left out is the configured store. Others on this machine may see
arguments: put a URL with a password into a file, name that in EVENT_STORE_URL_FILE, and leave its option out.
A migration that was cut off goes on with the same command.
`;

const lineOf = (failed: MigrationFailure): string => {
  if (failed._tag === 'StoreAway') {
    return `the ${failed.side} can't be used: ${cellText(failed.detail)}; the same command goes on where this one ended`;
  }
  if (failed._tag === 'StoreDamaged') {
    return `the ${failed.side} is damaged (${cellText(failed.detail)}), and stays so: keep a copy of its file, restore a backup, or recover it with "sqlite3 FILE .recover"; ramp-ledger verify says what is missing then`;
  }
  const at = `revision ${failed.revision} of stream ${cellText(failed.stream)}`;
  if (failed._tag === 'EventRefused') return `the target refuses ${at}: ${cellText(failed.detail)}`;
  return failed._tag === 'SourceBroken'
    ? `the source is damaged: ${at} does not follow on the one before; run ramp-ledger verify on it`
    : `the target holds other events than the source: they differ at ${at}; name an empty target`;
};

/** A bar for each phase, one after the other. */
const phaseBars = (
  { terminal, now }: CommandContext,
  { shareOf }: MigrationStores,
): { readonly onProgress: OnMigrationProgress; readonly stop: () => void } => {
  let current: { readonly phase: MigrationPhase; readonly bar: ProgressBar } | null = null;
  return {
    onProgress: (phase, position, last, events) => {
      if (current?.phase !== phase) {
        current?.bar.stop();
        current = { phase, bar: progressBar(terminal, phase === 'copy' ? 'migrate' : 'verify', now) };
      }
      current.bar.onProgress(shareOf(position, last), events);
    },
    stop: () => current?.bar.stop(),
  };
};

const run = async (context: CommandContext, { from, to, json }: Options): Promise<E.Either<CommandFailure, void>> => {
  const opened = await context.openForMigration({ from: from ?? null, to: to ?? null });
  if (E.isLeft(opened)) return opened;
  const bars = phaseBars(context, opened.right);
  try {
    const migrated = await migrate(opened.right, bars.onProgress).finally(bars.stop);
    if (E.isLeft(migrated)) return failing(1, lineOf(migrated.left));
    const { events, streams } = migrated.right;
    context.terminal.out(
      json === true
        ? `${JSON.stringify(migrated.right)}\n`
        : `${soMany(events, 'event')} of ${soMany(streams, 'stream')} ${events === 1 ? 'is' : 'are'} in the target, each the same as in the source\n`,
    );
    return E.right(undefined);
  } finally {
    await opened.right.close();
  }
};

/** `migrate`: copies a ledger from one store to another, and proves that both are equal. */
export const migrateCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('migrate')
    .description('copy the ledger from one event store to another, and verify the copy')
    .option('--from <url>', 'the store to copy; the configured one where it is left out')
    .option('--to <url>', 'the store to copy to; the configured one where it is left out')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (options: Options) => {
      exit(statusOf(context.terminal, done(await run(context, options))));
    });
