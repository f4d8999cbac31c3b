import * as E from 'fp-ts/lib/Either.js';
import { upstreamErrorLine, type UpstreamError } from '../tokens/upstream-error.ts';
import type { Upstream } from '../tokens/upstream.ts';
import type { CommandContext } from './command-context.ts';
import type { CommandFailure } from './command-failure.ts';
import { statusOf, type ExitStatus } from './exit-status.ts';

/** A path that may not be called is wrong usage; every other failure lies with the provider. */
export const upstreamFailure = (error: UpstreamError): CommandFailure => ({
  status: error._tag === 'PathRefused' ? 2 : 1,
  line: upstreamErrorLine(error),
});

/** Opens the provider for a command, closes it whatever happens, and turns a failure into its line and status. */
export const withUpstream = async (
  { openUpstream, terminal }: CommandContext,
  command: (provider: Upstream) => Promise<E.Either<CommandFailure, ExitStatus>>,
): Promise<ExitStatus> => {
  const opened = await openUpstream();
  if (E.isLeft(opened)) return statusOf(terminal, opened);
  try {
    return statusOf(terminal, await command(opened.right));
  } finally {
    opened.right.close();
  }
};
