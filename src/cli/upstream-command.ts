import { Argument, Command, InvalidArgumentError } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import { parseNatively } from '../domain/parse-json.ts';
import { METHODS, type Method } from '../tokens/exchange.ts';
import { statusText } from '../tokens/upstream-error.ts';
import { cellText } from './output/cell-text.ts';
import type { CommandContext } from './command-context.ts';
import { failing, type CommandFailure } from './command-failure.ts';
import type { ExitStatus } from './exit-status.ts';
import { upstreamFailure, withUpstream } from './with-upstream.ts';

type Options = { readonly data?: string; readonly json?: true };

const EXAMPLES = `
Examples:
  ramp-ledger upstream GET /v1/users/me
  ramp-ledger upstream GET '/v1/orders?limit=10' > orders.json
  ramp-ledger upstream POST /v1/orders --data '{"fiat":100}'

It takes UPSTREAM_BASE_URL and UPSTREAM_LOGIN_JSON. The answer's body goes to standard output unchanged; exit status 1 for an
answer of 400 or more, and for a redirect, which is not followed.
`;

/** Answers from this status on are failures; a redirect too, since it is not followed. */
const LEAST_UNWANTED = 300;

const methodOf = (text: string): Method => {
  const method = METHODS.find((one) => one === text.toUpperCase());
  if (method === undefined) throw new InvalidArgumentError(`Give one of ${METHODS.join(', ')}.`);
  return method;
};

/** What is wrong with a body, which itself is not shown: it may be a secret. */
const dataProblem = (method: Method, data: string | undefined): string | null => {
  if (data === undefined) return null;
  if (method === 'GET' || method === 'HEAD') return `${method} takes no --data`;
  return parseNatively(data) === undefined ? '--data is no JSON' : null;
};

/** Without its query string, which may hold personal data. */
const named = (method: Method, path: string): string => `${method} ${cellText(path.replace(/\?.*$/s, ''))}`;

/** `upstream METHOD PATH`: calls a user endpoint of the provider with a token. */
export const upstreamCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('upstream')
    .description('call an endpoint of the provider as the configured user')
    .addArgument(new Argument('<method>', METHODS.join(', ')).argParser(methodOf))
    .argument('<path>', 'below UPSTREAM_BASE_URL, beginning with /')
    .option('--data <json>', 'a JSON body to send')
    .option('--json', "changes nothing: the answer's body is printed unchanged")
    .addHelpText('after', EXAMPLES)
    .action(async (method: Method, path: string, { data }: Options) => {
      const { out, note } = context.terminal;
      exit(
        await withUpstream(context, async (provider): Promise<E.Either<CommandFailure, ExitStatus>> => {
          const problem = dataProblem(method, data);
          if (problem !== null) return failing(2, problem);
          const answer = await provider.call({ method, path, data: data ?? null })();
          if (E.isLeft(answer)) {
            if (answer.left._tag === 'Unauthorised') out(answer.left.answer.body);
            return E.left(upstreamFailure(answer.left));
          }
          const { status, body } = answer.right;
          out(body);
          if (status < LEAST_UNWANTED) return E.right(0);
          note(`ramp-ledger: ${named(method, path)} answered ${statusText(status)}\n`);
          return E.right(1);
        }),
      );
    });
