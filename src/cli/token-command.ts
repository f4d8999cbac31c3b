import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import { instantOf } from '../domain/instant.ts';
import type { Claims } from '../tokens/claims.ts';
import type { TokenLeft } from '../tokens/upstream.ts';
import { cellText } from './output/cell-text.ts';
import { columns } from './output/columns.ts';
import type { CommandContext } from './command-context.ts';
import type { CommandFailure } from './command-failure.ts';
import type { ExitStatus } from './exit-status.ts';
import { upstreamFailure, withUpstream } from './with-upstream.ts';

type Options = { readonly json?: true; readonly raw?: true };

const EXAMPLES = `
Examples:
  ramp-ledger token             log in to the provider, and show what its token says
  ramp-ledger token --json      {claims, expiresInSeconds, signatureChecked}
  ramp-ledger token --raw       the token itself, for other programs

It takes UPSTREAM_BASE_URL and UPSTREAM_LOGIN_JSON, and heeds UPSTREAM_ISSUER, UPSTREAM_AUDIENCE and UPSTREAM_JWKS_URL.
`;

/** The moments that JavaScript's calendar has, in seconds. */
const FARTHEST_SECONDS = 8.64e12;

const shown = (name: string, value: unknown): string => {
  const isTime = ['iat', 'nbf', 'exp'].includes(name);
  if (isTime && typeof value === 'number' && Math.abs(value) <= FARTHEST_SECONDS) {
    return `${value} (${instantOf(value * 1_000)})`;
  }
  return cellText(typeof value === 'string' ? value : JSON.stringify(value));
};

const page = (claims: Claims, expiresInSeconds: number, signatureChecked: boolean): string =>
  columns([
    ...Object.entries(claims).map(([name, value]) => [cellText(name), shown(name, value)]),
    ['expires in', `${expiresInSeconds} s`],
    ['signature', signatureChecked ? 'checked' : 'not checked: UPSTREAM_JWKS_URL is not set'],
  ]);

const written = ({ token, msLeft }: TokenLeft, { json, raw }: Options): string => {
  const { text, claims, signatureChecked } = token;
  const expiresInSeconds = Math.floor(msLeft / 1_000);
  if (json === true) {
    const revealed = raw === true ? { accessToken: text.reveal() } : {};
    return `${JSON.stringify({ claims, expiresInSeconds, signatureChecked, ...revealed })}\n`;
  }
  return raw === true ? `${text.reveal()}\n` : page(claims, expiresInSeconds, signatureChecked);
};

/** `token`: logs in to the provider and shows what its token says; the token itself only where it is asked for. */
export const tokenCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('token')
    .description('log in to the provider, and show the claims of the token and the time that it has left')
    .option('--raw', 'print the token itself; whoever reads it can act as the user')
    .option('--json', 'print {claims, expiresInSeconds, signatureChecked}')
    .addHelpText('after', EXAMPLES)
    .action(async (options: Options) => {
      exit(
        await withUpstream(context, async (provider): Promise<E.Either<CommandFailure, ExitStatus>> => {
          const token = await provider.token();
          if (E.isLeft(token)) return E.left(upstreamFailure(token.left));
          context.terminal.out(written(token.right, options));
          return E.right(0);
        }),
      );
    });
