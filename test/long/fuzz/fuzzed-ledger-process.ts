import { fork } from 'node:child_process';
import { once } from 'node:events';
import * as t from 'io-ts';
import { right } from '../../support/right.ts';

const Hello = t.type({ url: t.string });
const Seen = t.type({ heapMiB: t.number, rssMiB: t.number, heldMs: t.number, errors: t.array(t.string) });

/** A ledger in another process, so that what it is fuzzed with weighs neither on its memory nor on its thread. */
export type FuzzedLedger = {
  readonly url: string;
  /** How it is: behind a collection of its heap; how long its thread was held, and what it logged as errors, since the last look. */
  readonly look: () => Promise<t.TypeOf<typeof Seen>>;
  readonly end: () => void;
};

/** Starts one; a death of it ends this process, loudly. */
export const fuzzedLedger = async (): Promise<FuzzedLedger> => {
  const child = fork(new URL('./fuzzed-ledger.ts', import.meta.url), [], { execArgv: ['--expose-gc'] });
  child.once('exit', (code, signal) => {
    if (child.connected || code !== 0) throw new Error(`the ledger ended by itself: ${code ?? signal ?? ''}`);
  });
  const told = async <A>(codec: t.Decoder<unknown, A>): Promise<A> =>
    right(codec.decode((await once(child, 'message'))[0]));
  const { url } = await told(Hello);
  return {
    url,
    look: () => {
      child.send('look');
      return told(Seen);
    },
    end: () => child.disconnect(),
  };
};
