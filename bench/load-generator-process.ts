import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import type { PoolOrder } from './delivery-pool.ts';
import { PreparedMessage, RanMessage, type LoadMessage } from './load-protocol.ts';
import type { LoadOrder, LoadResult } from './load-run.ts';
import type { OwnedResources } from './owned-resources.ts';

/** The load generator as the benchmarks see it; what is asked of it is done one after the other. */
export type LoadGenerator = {
  readonly pid: number;
  /** Writes and signs requests, in place of those before. Answers the length of all bodies together, in bytes. */
  readonly prepare: (order: PoolOrder) => Promise<number>;
  readonly run: (order: LoadOrder) => Promise<LoadResult>;
  readonly stop: () => Promise<void>;
};

const PROGRAM = fileURLToPath(new URL('./load-generator.ts', import.meta.url));

const ask = async <A>(child: ChildProcess, message: LoadMessage, expected: t.Decoder<unknown, A>): Promise<A> => {
  const reply = await new Promise<unknown>((resolve, reject) => {
    const onExit = (): void => reject(new Error('the load generator ended before its work was done'));
    child.once('exit', onExit);
    child.once('message', (received: unknown) => {
      child.off('exit', onExit);
      resolve(received);
    });
    child.send(message);
  });
  const decoded = expected.decode(reply);
  if (E.isLeft(decoded)) throw new Error('the load generator answered something that is not in the protocol');
  return decoded.right;
};

export const startLoadGenerator = (owned: OwnedResources): LoadGenerator => {
  const child = owned.start({
    argv: [PROGRAM],
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return {
    pid: child.pid ?? 0,
    prepare: async (order) => (await ask(child, { kind: 'prepare', ...order }, PreparedMessage)).bodyBytes,
    run: (order) => ask(child, { kind: 'run', ...order }, RanMessage),
    stop: async () => {
      await owned.stop(child);
    },
  };
};
