import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import * as t from 'io-ts';
import * as E from 'fp-ts/lib/Either.js';
import type { JsonObject } from '../../src/domain/json.ts';
import { atMost } from '../../src/concurrency/at-most.ts';
import { wait } from '../../src/concurrency/wait.ts';
import { signedInCookie } from '../console/sign-in.ts';
import { accepted } from '../support/answers.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { offRamp, onRamp, SECRET } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { hostileBodies } from '../webhooks/hostile-bodies.ts';

const KEY = 'full-api-key-of-at-least-24-bytes';
const MASKED_KEY = 'masked-api-key-of-at-least-24-bytes';
const READS = 'orders:read+reports:read+audit:read';

/** Events of one order, and orders, with bodies of some hundred KB each. */
const LARGE_EVENTS = 120;
const LARGE_ORDERS = 100;
const ROWS = 1_200;
/** Of a bank file. */
const LARGE_LINES = 200;
const LINE_BYTES = 60_000;
/** Of a file that is brought in. */
const FILE_BYTES = 12_000_000;
/** As large a bank file as is taken, but for what is around its lines. */
const MOST_FILE_BYTES = 16 * 1_048_576 - 10_000;
const TEXT_BYTES = 1_000;
/** Of one order, in small bodies. */
const MANY_EVENTS = 5_000;
/** Orders of one month whose days, currencies, tokens and chains are all combined: each is a row of a report. */
const CELLS = 3_000;
const AT_ONCE = 64;

/** What a question may add to how long the loop is held when nothing is asked. */
const BOUND_MS = 20;
/** The machine holds a process too, and rarely in each of these. */
const TRIES = 6;
const IDLE_MS = 300;
const IMPORTS = 5;
const RESTARTS = 8;
const WARM = 20;

const Url = t.type({ url: t.string });
const Statement = t.type({ statementId: t.string });
const Longest = t.type({ longestMs: t.number });

/** Text, numbers, addresses: what masking, decoding and writing all have work with. */
const large = (seed: number): JsonObject => ({
  rows: Array.from({ length: ROWS }, (_, i) => ({ name: `n${i}-${seed}`, mail: `a${i}@example.com`, n: i / 7 })),
});

/** The month of all orders; it is closed, and orders of it come later. */
const CLOSED = '2023-03';
const LATE_ORDERS = 400;
const CLOSE = JSON.stringify({
  note: 'closed',
  despite: ['earlier-closed', 'quarantine', 'clock-anomalies', 'match'],
});
const GROUPS = 'groupBy=day,currency,token,chain';

const PATHS = [
  '/v1/orders/large',
  '/v1/orders/many',
  `/v1/orders/many?revision=${MANY_EVENTS / 2}`,
  '/v1/orders/many/events',
  '/v1/orders/many/audit',
  '/v1/orders/many/evidence',
  '/v1/orders/large?revision=50',
  '/v1/orders/large/events',
  '/v1/orders/large/audit',
  '/v1/orders/large/events/0/body',
  '/v1/orders/large/evidence',
  '/v1/audit?verify=true&limit=500',
  '/v1/audit?limit=500',
  '/v1/audit?q=large&verify=true&limit=500',
  '/v1/orders?limit=500',
  '/v1/orders?limit=500&count=true',
  '/v1/quarantine?limit=500',
  `/v1/reports/onramp?${GROUPS}`,
  `/v1/reports/onramp?${GROUPS}&period=${CLOSED}`,
  `/v1/reports/offramp?${GROUPS}&period=${CLOSED}&basis=settled`,
  '/v1/periods?limit=500',
  `/v1/periods/${CLOSED}`,
  '/v1/periods/2023-04/readiness',
  `/v1/periods/${CLOSED}/workbook`,
  `/v1/periods/${CLOSED}/adjustments?limit=500`,
  '/v1/exports/orders?format=ndjson',
  '/v1/exports/events?format=csv',
  '/v1/exports/audit?format=csv&verify=true',
  '/v1/reconciliation/items?limit=500',
  '/metrics',
  '/openapi.json',
] as const;

const PAGES = [
  '/',
  '/console/orders',
  '/console/orders/large',
  '/console/orders/large/events/0',
  '/console/orders/large/evidence',
  '/console/orders/many',
  '/console/orders/many/evidence',
  '/console/audit?verify=true',
  '/console/quarantine',
  '/console/reconciliation',
  '/console/reports/onramp',
  `/console/reports/onramp?range=all&${GROUPS}`,
  `/console/reports/onramp?period=${CLOSED}&${GROUPS}`,
  `/console/reports/onramp?from=${CLOSED}-01&to=${CLOSED}-31&${GROUPS}`,
  '/console/periods',
  '/console/periods/2023-04',
  `/console/periods/${CLOSED}`,
  `/console/periods/${CLOSED}/print`,
  `/console/files/periods/${CLOSED}`,
] as const;

describe('the thread that receives', () => {
  let folder: ReturnType<typeof temporaryFolder>;
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
    folder = temporaryFolder();
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

  it('is held by no question for longer than deliveries may wait, however large what is asked for', async () => {
    const idle = await held(() => wait(IDLE_MS));
    const slow: string[] = [];
    for (const path of [...PATHS, `/v1/statements/${statementId}/lines?limit=500`]) {
      for (const key of /\/(body|evidence)$/.test(path) ? [KEY] : [KEY, MASKED_KEY]) {
        const headers = { authorization: `Bearer ${key}` };
        const ms = await held(async () => {
          const answer = await exchange(url, { path, headers });
          expect(answer.status, `${path}: ${answer.text.slice(0, 200)}`).to.equal(200);
        });
        if (ms > idle + BOUND_MS) slow.push(`${path}: ${ms} ms, idle ${idle} ms`);
      }
    }
    expect(slow).to.deep.equal([]);
  });

  it('is held by no page of the console', async () => {
    const cookie = await signedInCookie(url, KEY);
    const idle = await held(() => wait(IDLE_MS));
    const slow: string[] = [];
    for (const path of PAGES) {
      const ms = await held(async () => {
        const answer = await exchange(url, { path, headers: { cookie } });
        expect(answer.status, `${path}: ${answer.text.slice(0, 200)}`).to.equal(200);
      });
      if (ms > idle + BOUND_MS) slow.push(`${path}: ${ms} ms, idle ${idle} ms`);
    }
    expect(slow).to.deep.equal([]);
  });

  it('is held by nobody who closes a month, or opens it again', async () => {
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    const done = async (deed: 'close' | 'reopen', body: string): Promise<void> => {
      const path = `/v1/periods/${CLOSED}/${deed}`;
      const answer = await exchange(url, { method: 'POST', path, headers, body: Buffer.from(body) });
      expect(answer.status, answer.text).to.equal(200);
    };
    const idle = await held(() => wait(IDLE_MS));
    const both = await held(async () => {
      await done('reopen', JSON.stringify({ note: 'opened again' }));
      await done('close', CLOSE);
    });
    expect(both - idle).to.be.at.most(BOUND_MS);
  });

  it('is held by no delivery for an order of thousands of events, whether it remembers them or has to read them', async () => {
    const idle = await held(() => wait(IDLE_MS));
    let late = 0;
    const remembered = await held(() => deliver(url, offRamp({ orderId: 'many', utr: `late-${(late += 1)}` })));
    let read = Infinity;
    // Only a ledger that has just started has to read them, once each time.
    for (let i = 0; i < RESTARTS && read > idle + BOUND_MS; i += 1) {
      child.disconnect();
      await once(child, 'exit');
      await started();
      // What is loaded by the first deliveries is no matter of the order's.
      for (let warm = 0; warm < WARM; warm += 1) accepted(await deliver(url, offRamp({ orderId: `warm-${warm}` })));
      const deliverLate = () => deliver(url, offRamp({ orderId: 'many', status: 'fiatDeemed', utr: `read-${i}` }));
      read = Math.min(read, await held(deliverLate, 1));
    }
    expect([remembered, read].filter((ms) => ms > idle + BOUND_MS)).to.deep.equal([]);
  });

  it('is held by no hostile body either', async () => {
    const idle = await held(() => wait(IDLE_MS));
    const slow: string[] = [];
    for (const { name, bytes } of hostileBodies()) {
      const ms = await held(() => deliver(url, bytes));
      if (ms > idle + BOUND_MS) slow.push(`${name}: ${ms} ms, idle ${idle} ms`);
    }
    expect(slow).to.deep.equal([]);
  });

  it('is held by no file of a bank or an explorer, whatever is in it', async () => {
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'text/csv' };
    const files = [
      ['/v1/statements?format=camt.053', '<a>'.repeat(FILE_BYTES / 3)],
      ['/v1/transfers?chainId=1', `"Transaction Hash","Blockno"\n${'a,b\n'.repeat(FILE_BYTES / 4)}`],
    ] as const;
    const idle = await held(() => wait(IDLE_MS));
    const slow: string[] = [];
    let imports = 0;
    const imported = await held(async () => {
      imports += 1;
      const line = `10/04/2026,-1.00,${imports} ${'x'.repeat(TEXT_BYTES)}\n`;
      const body = Buffer.from(`Date,Amount,Said\n${line.repeat(MOST_FILE_BYTES / line.length)}`);
      const answer = await exchange(url, {
        method: 'POST',
        path: '/v1/statements?profile=large&account=A',
        headers,
        body,
      });
      expect(answer.status, answer.text).to.equal(200);
    }, IMPORTS);
    if (imported > idle + BOUND_MS)
      slow.push(`a bank file of ${MOST_FILE_BYTES} bytes: ${imported} ms, idle ${idle} ms`);
    for (const [path, text] of files) {
      const body = Buffer.from(text);
      const ms = await held(async () => {
        const answer = await exchange(url, { method: 'POST', path, headers, body });
        expect(answer.status, answer.text).to.equal(422);
      });
      if (ms > idle + BOUND_MS) slow.push(`${path}: ${ms} ms, idle ${idle} ms`);
    }
    expect(slow).to.deep.equal([]);
  });
});
