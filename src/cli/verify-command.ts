import { Command } from 'commander';
import { either as E } from 'fp-ts';
import { verifyLog, type VerifyReport } from '../ledger/verify-log.ts';
import { columns } from './columns.ts';
import type { CommandContext, CommandFailure, ExitStatus, Terminal } from './command-context.ts';
import { withLedger } from './with-ledger.ts';

type Options = { readonly json?: true };

const EXAMPLES = `
Examples:
  ramp-ledger verify           check every event of the log; exit status 1 if anything is wrong
  ramp-ledger verify --json    {events, orders, failures, unknownSecrets}
`;

const SHOW_PROGRESS_EVERY = 10_000;

const progress = ({ interactive, note }: Terminal): ((events: number) => void) =>
  interactive
    ? (events) => {
        if (events % SHOW_PROGRESS_EVERY === 0) note(`\r${events} events verified`);
      }
    : () => undefined;

const page = ({ events, orders, failures, unknownSecrets }: VerifyReport): string => {
  const secrets =
    unknownSecrets === 0 ? '' : `; ${unknownSecrets} signed with a secret that is not configured any more`;
  const found = failures.map(({ stream, revision, eventId, problem }) => [stream, String(revision), eventId, problem]);
  const verdict = failures.length === 0 ? 'all is well' : `${failures.length} failures`;
  return `${columns(found)}${events} events of ${orders} orders verified: ${verdict}${secrets}\n`;
};

/** `verify`: proves the whole log anew. */
export const verifyCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('verify')
    .description('check every signature, digest, id and revision of the log')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async ({ json }: Options) => {
      exit(
        await withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
          const report = await verifyLog(ledger.store, ledger.secretKey, progress(context.terminal));
          if (context.terminal.interactive) context.terminal.note('\r\x1b[K');
          if (E.isLeft(report))
            return E.left({ status: 1, line: `the event store can't be read: ${report.left.detail}` });
          context.terminal.out(json === true ? `${JSON.stringify(report.right)}\n` : page(report.right));
          return E.right(report.right.failures.length === 0 ? 0 : 1);
        }),
      );
    });
