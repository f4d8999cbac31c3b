import { randomBytes } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import { chainLookup, type ChainLookup } from '../../chain/chain-lookup.ts';
import type { NodeFailure, NodePost } from '../../chain/json-rpc.ts';
import type { CommandFailure } from '../../cli/command-failure.ts';
import { failing } from '../../cli/command-failure.ts';
import { inTime } from '../../concurrency/in-time.ts';
import { wait } from '../../concurrency/wait.ts';
import { configErrorLine, loadConfig, type Environment } from '../../config/index.ts';
import { CALL_MS, type ExchangeError } from '../../tokens/exchange.ts';
import { fetchExchange } from '../../tokens/fetch-exchange.ts';
import { retryAfterMs } from '../../tokens/retry-after.ts';

const WHY: Readonly<Record<ExchangeError['_tag'], NodeFailure>> = {
  TimedOut: { detail: `it did not answer within ${CALL_MS / 1_000} s`, passing: true },
  Unreachable: { detail: "it can't be reached", passing: true },
  // Of the same call it would be as large again.
  AnswerTooLarge: { detail: 'its answer has more than 1 MiB', passing: false },
  AnswerGarbled: { detail: "its answer can't be read", passing: false },
};

const late = E.left<ExchangeError>({ _tag: 'TimedOut' });

const post: NodePost = async (url, body) => {
  const request = { method: 'POST' as const, url: new URL(url), headers: { 'content-type': 'application/json' }, body };
  const answered = await inTime(CALL_MS, (signal) => fetchExchange(request, signal)(), late);
  return E.isLeft(answered)
    ? E.left(WHY[answered.left._tag])
    : E.right({ ...answered.right, retryAfterMs: retryAfterMs(answered.right.retryAfter, Date.now()) });
};

/** The nodes of chains as the environment says them; nothing is sent yet. */
export const openChains = (env: Environment): E.Either<CommandFailure, ChainLookup> => {
  const loaded = loadConfig(env, { generate: false, randomBytes });
  if (E.isLeft(loaded)) return failing(2, configErrorLine(loaded.left));
  const { chainNodes } = loaded.right.config;
  if (chainNodes.length === 0)
    return failing(
      2,
      'CHAIN_RPC_URLS: it is not set; set it, or CHAIN_RPC_URLS_FILE, to the nodes of the chains, such as 137=https://…,1=https://…',
    );
  return E.right(chainLookup({ post, pause: (ms) => wait(ms), random: Math.random }, chainNodes));
};
