import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import { cellText } from './output/cell-text.ts';
import { columns } from './output/columns.ts';
import type { CommandContext } from './command-context.ts';
import type { CommandFailure } from './command-failure.ts';
import type { ExitStatus } from './exit-status.ts';
import { progressBar } from './output/progress-bar.ts';
import type { VerifyReport } from './output/verify-report.ts';
import { withLedger } from './with-ledger.ts';
import { soMany } from '../domain/so-many.ts';

type Options = { readonly json?: true; readonly checkpoint?: string };

const EXAMPLES = `
Examples:
  ramp-ledger verify           prove every event, and the read models against them; exit status 1 if anything is wrong
  ramp-ledger verify --json    {events, orders, failures, unknownSecrets}
  ramp-ledger verify --checkpoint kept.txt     and that the log still contains the tree of a checkpoint that you kept
`;

const page = ({ events, orders, failures, unknownSecrets }: VerifyReport): string => {
  const secrets =
    unknownSecrets === 0 ? '' : `; ${unknownSecrets} signed with a secret that is not configured any more`;
  const found = failures.map((failure) => [
    cellText(failure.stream),
    cellText(failure.revision),
    cellText(failure.eventId),
    failure.problem,
    'detail' in failure ? cellText(failure.detail) : '',
  ]);
  const verdict = failures.length === 0 ? 'all is well' : soMany(failures.length, 'failure');
  return `${columns(found)}${soMany(events, 'event')} of ${soMany(orders, 'order')} verified: ${verdict}${secrets}\n`;
};

/** `verify`: proves the whole log anew, and the read models against a fresh fold of it. */
export const verifyCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('verify')
    .description(
      'check every signature, digest, id and revision of the log, its checkpoints, and the read models against it',
    )
    .option('--checkpoint <file>', 'a signed checkpoint that the log must still contain')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async ({ json, checkpoint }: Options) => {
      const { terminal, now } = context;
      exit(
        await withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
          const bar = progressBar(terminal, 'verify', now);
          const report = await ledger.verify(bar.onProgress, checkpoint ?? null).finally(bar.stop);
          if (E.isLeft(report)) return report;
          terminal.out(json === true ? `${JSON.stringify(report.right)}\n` : page(report.right));
          return E.right(report.right.failures.length === 0 ? 0 : 1);
        }),
      );
    });
