import { either as E } from 'fp-ts';
import type { UpstreamError } from '../tokens/upstream-error.ts';
import { upstreamErrorLine } from '../tokens/upstream-error.ts';
import type { Upstream } from '../tokens/upstream.ts';
import type { CommandContext, CommandFailure, ExitStatus } from './command-context.ts';

/** A path that is not called is wrong usage; all else that is met is the provider's. */
export const upstreamFailure = (error: UpstreamError): CommandFailure => ({
  status: error._tag === 'PathRefused' ? 2 : 1,
  line: upstreamErrorLine(error),
});

/** Opens the provider for a command, closes it whatever happens, and turns a failure into its line and status. */
export const withUpstream = async (
  { openUpstream, terminal }: CommandContext,
  command: (provider: Upstream) => Promise<E.Either<CommandFailure, ExitStatus>>,
): Promise<ExitStatus> => {
  const failed = ({ line, status }: CommandFailure): ExitStatus => {
    terminal.note(`ramp-ledger: ${line}\n`);
    return status;
  };
  const opened = await openUpstream();
  if (E.isLeft(opened)) return failed(opened.left);
  try {
    const ended = await command(opened.right);
    return E.isLeft(ended) ? failed(ended.left) : ended.right;
  } finally {
    opened.right.close();
  }
};
