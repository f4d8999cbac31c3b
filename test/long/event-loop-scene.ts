import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import * as t from 'io-ts';
import * as E from 'fp-ts/lib/Either.js';
import type { JsonObject } from '../../src/domain/json.ts';
import { atMost } from '../../src/concurrency/at-most.ts';
import { accepted } from '../support/answers.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { offRamp, onRamp, SECRET } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { folderOnDisk } from '../support/temporary-folder.ts';
import { CLOSE, CLOSED, MANY_EVENTS } from './asked-of-loop.ts';

/** Keys that may read everything, and everything but personal data. */
export const KEY = 'full-api-key-of-at-least-24-bytes';
export const MASKED_KEY = 'masked-api-key-of-at-least-24-bytes';
const READS = 'orders:read+reports:read+audit:read';

/** Events of one order, and orders, with bodies of some hundred KB each. */
const LARGE_EVENTS = 120;
const LARGE_ORDERS = 100;
const ROWS = 1_200;
/** Of a bank file. */
const LARGE_LINES = 200;
const LINE_BYTES = 60_000;
/** Orders of one month whose days, currencies, tokens and chains are all combined: each is a row of a report. */
const CELLS = 3_000;
/** Of the closed month, behind its close. */
const LATE_ORDERS = 400;
const AT_ONCE = 64;

/** The machine holds a process too, and rarely in each of these. */
const TRIES = 6;

const Url = t.type({ url: t.string });
const Statement = t.type({ statementId: t.string });
const Longest = t.type({ longestMs: t.number });

/** Text, numbers, addresses: what masking, decoding and writing all have work with. */
const large = (seed: number): JsonObject => ({
  rows: Array.from({ length: ROWS }, (_, i) => ({ name: `n${i}-${seed}`, mail: `a${i}@example.com`, n: i / 7 })),
});

/** A ledger in a process of its own, filled with what takes long to read, fold and write, whose event loop is watched. */
export const watchedLoop = () => {
  let folder: ReturnType<typeof folderOnDisk>;
  let child: ChildProcess;
  let url: string;
  let statementId = '';

  const say = async <A>(what: string, codec: t.Decoder<unknown, A>): Promise<A> => {
    const told: Promise<unknown[]> = once(child, 'message');
    child.send(what);
    return right(codec.decode((await told)[0]));
  };

  /** The least of the longest times, in ms, that the loop was held while something was done several times. */
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

  /** Delivers many, so many at a time. */
  const delivered = async (payloads: readonly JsonObject[]): Promise<void> => {
    const answers = await atMost(AT_ONCE, payloads, async (payload) => E.right(accepted(await deliver(url, payload))));
    expect(right(answers)).to.have.length(payloads.length);
  };

  before(async () => {
    folder = folderOnDisk();
    await started();
    for (let i = 0; i < LARGE_EVENTS; i += 1) {
      accepted(await deliver(url, onRamp({ orderId: 'large', fiat: 100 + i, metaData: large(i) })));
    }
    await delivered(
      Array.from({ length: MANY_EVENTS }, (_, i) =>
        // New payouts, and others that contradict the first of them.
        offRamp({ orderId: 'many', status: 'fiatDeemed', utr: i % 2 === 0 ? `u${i}` : 'u0', fiat: 100 + i }),
      ),
    );
    await delivered(
      Array.from({ length: CELLS }, (_, i) =>
        onRamp({
          status: 'completed',
          fiat: i + 1,
          currency: ['inr', 'usd', 'eur', 'aed'][i % 4] ?? '',
          buyTokenSymbol: `T${i % 7}`,
          buyTokenAddress: `0x${String(i % 7).repeat(40)}`,
          chainId: 1 + (i % 3),
          createdAt: `${CLOSED}-${String(1 + (i % 29)).padStart(2, '0')}T06:31:08.000Z`,
        }),
      ),
    );
    let position = '';
    for (let i = 0; i < LARGE_ORDERS; i += 1) {
      ({ position } = accepted(await deliver(url, onRamp({ orderId: `large-${i}`, metaData: large(i) }))));
    }
    const headers = { authorization: `Bearer ${KEY}` };
    const bring = async (path: string, type: string, text: string): Promise<string> => {
      const sent = { method: 'POST', path, headers: { ...headers, 'content-type': type }, body: Buffer.from(text) };
      const answer = await exchange(url, sent);
      expect(answer.status, answer.text).to.equal(200);
      return answer.text;
    };
    const profile = { date: 'Date', dateFormat: 'dd/mm/yyyy', amount: 'Amount', currency: 'INR', text: ['Said'] };
    await bring('/v1/statements/profiles/large', 'application/json', JSON.stringify(profile));
    const lines = Array.from({ length: LARGE_LINES }, (_, i) => `10/04/2026,-${i + 1}.00,${'x'.repeat(LINE_BYTES)}`);
    const imported = await bring(
      '/v1/statements?profile=large&account=A',
      'text/csv',
      `Date,Amount,Said\n${lines.join('\n')}\n`,
    );
    ({ statementId } = right(Statement.decode(JSON.parse(imported))));
    await bring(`/v1/periods/${CLOSED}/close`, 'application/json', CLOSE);
    for (let i = 0; i < LATE_ORDERS; i += 1) {
      ({ position } = accepted(await deliver(url, onRamp({ orderId: `late-${i}`, fiat: i + 1 }))));
    }
    expect((await exchange(url, { path: `/v1/orders?limit=1&position=${position}`, headers })).status).to.equal(200);
  });
  after(() => {
    child.disconnect();
    folder.remove();
  });

  return {
    url: () => url,
    /** Of a bank file with large lines. */
    statementId: () => statementId,
    held,
    /** Ends the process, and starts another one over the same data. */
    startAgain: async (): Promise<void> => {
      child.disconnect();
      await once(child, 'exit');
      await started();
    },
  };
};
