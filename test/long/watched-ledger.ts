import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import * as t from 'io-ts';
import * as E from 'fp-ts/lib/Either.js';
import type { JsonObject } from '../../src/domain/json.ts';
import { atMost } from '../../src/concurrency/at-most.ts';
import { accepted } from '../support/answers.ts';
import { deliver } from '../support/exchange.ts';
import { SECRET } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { folderOnDisk } from '../support/temporary-folder.ts';

/** Keys that may read everything, and everything but personal data. */
export const KEY = 'full-api-key-of-at-least-24-bytes';
export const MASKED_KEY = 'masked-api-key-of-at-least-24-bytes';
const READS = 'orders:read+reports:read+audit:read';

const AT_ONCE = 64;

/** The machine holds a process too, and rarely in each of these. */
const TRIES = 6;

const Url = t.type({ url: t.string });
const Longest = t.type({ longestMs: t.number });

type WatchedLedger = {
  readonly url: () => string;
  /** Delivers many, so many at a time; the position of the last that was answered. */
  readonly delivered: (payloads: readonly JsonObject[]) => Promise<string>;
  /** The least of the longest times, in ms, that the loop was held while something was done several times. */
  readonly held: (what: () => Promise<unknown>, tries?: number) => Promise<number>;
  /** Ends the process, and starts another one over the same data. */
  readonly startAgain: () => Promise<void>;
};

/** A ledger in a process of its own whose event loop is watched. `fill`: delivers what it holds, before the first test. */
export const watchedLedger = (fill: (ledger: WatchedLedger) => Promise<void>): WatchedLedger => {
  let folder: ReturnType<typeof folderOnDisk>;
  let child: ChildProcess;
  let url: string;

  const say = async <A>(what: string, codec: t.Decoder<unknown, A>): Promise<A> => {
    const told: Promise<unknown[]> = once(child, 'message');
    child.send(what);
    return right(codec.decode((await told)[0]));
  };

  const held = async (what: () => Promise<unknown>, tries = TRIES): Promise<number> => {
    const longest: number[] = [];
    for (let i = 0; i < tries; i += 1) {
      await say('begin', t.unknown);
      await what();
      longest.push((await say('end', Longest)).longestMs);
    }
    return Math.min(...longest);
  };

  const started = async (): Promise<void> => {
    child = fork(new URL('../support/monitored-ledger.ts', import.meta.url), [], {
      env: {
        ...process.env,
        HOST: '127.0.0.1',
        PORT: '0',
        DATA_DIR: `${folder.path}/data`,
        LOG_LEVEL: 'error',
        WEBHOOK_SECRETS: `primary=${SECRET}`,
        API_KEYS: `full:${READS}+pii:read+statements:write+periods:write=${KEY},masked:${READS}=${MASKED_KEY}`,
        API_MAX_REQUESTS_PER_MINUTE: '100000',
      },
      // None of those that processes of tests have: a ledger collects its garbage beside its event loop.
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const hello: Promise<unknown[]> = once(child, 'message');
    ({ url } = right(Url.decode((await hello)[0])));
  };

  const delivered = async (payloads: readonly JsonObject[]): Promise<string> => {
    let last = '';
    const answers = await atMost(AT_ONCE, payloads, async (payload) => {
      const { position } = accepted(await deliver(url, payload));
      last = position;
      return E.right(position);
    });
    expect(right(answers)).to.have.length(payloads.length);
    return last;
  };

  const ledger: WatchedLedger = {
    url: () => url,
    delivered,
    held,
    startAgain: async (): Promise<void> => {
      child.disconnect();
      await once(child, 'exit');
      await started();
    },
  };
  before(async () => {
    folder = folderOnDisk();
    await started();
    await fill(ledger);
  });
  after(() => {
    child.disconnect();
    folder.remove();
  });
  return ledger;
};
