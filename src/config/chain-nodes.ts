import * as E from 'fp-ts/lib/Either.js';
import { parseChainId, type ChainId } from '../domain/transfer.ts';
import { configError, type ConfigError } from './config-error.ts';
import type { Environment } from './environment.ts';
import { secretSource, type SecretSource } from './secret-source.ts';

/** A node that is asked about a chain. Its address may hold a key: it is for the call, and for nothing else. */
export type ChainNode = { readonly chainId: ChainId; readonly url: string };

const CURE = 'write 137=https://…,1=https://…: the number of a chain, and the address of a node';

const isNode = (url: string): boolean =>
  /^https?:\/\/[^\s\\\p{Cc}]+$/iu.test(url) &&
  URL.canParse(url) &&
  new URL(url).hash === '' &&
  new URL(url).username === '' &&
  new URL(url).password === '';

const entry = (variable: string, text: string, number: number): E.Either<ConfigError, ChainNode> => {
  const [, id = '', url = ''] = /^(\d+)=(.+)$/.exec(text) ?? [];
  const wrong = (problem: string) => E.left(configError(variable, `entry ${number} ${problem}`, CURE));
  if (id === '') return wrong('is no chain and address');
  const chainId = parseChainId(id);
  if (chainId === null) return wrong('has no number of a chain');
  return isNode(url)
    ? E.right({ chainId, url })
    : wrong('has no address that begins with https:// or http://, without user, password and fragment');
};

/** Reads `137=https://…,1=https://…`; several nodes of one chain repeat its number (docs/spec/configuration.md, Chains). */
export const chainNodes = (env: Environment): E.Either<ConfigError, readonly ChainNode[]> =>
  E.chain((source: SecretSource | null): E.Either<ConfigError, readonly ChainNode[]> => {
    if (source === null) return E.right([]);
    const { variable, text } = source;
    const read = E.traverseArray(([i, written]: readonly [number, string]) => entry(variable, written.trim(), i + 1))([
      ...text.split(',').entries(),
    ]);
    if (E.isLeft(read)) return read;
    const keys = read.right.map(({ chainId, url }) => `${chainId} ${url}`);
    const twice = keys.findIndex((key, i) => keys.indexOf(key) !== i);
    return twice === -1
      ? read
      : E.left(configError(variable, `entry ${twice + 1} was there before`, 'give each node of a chain once'));
  })(secretSource(env, 'CHAIN_RPC_URLS'));
