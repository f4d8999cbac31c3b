import { expect } from 'chai';
import { wait } from '../../src/concurrency/wait.ts';
import { signedInCookie } from '../console/sign-in.ts';
import { accepted } from '../support/answers.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { offRamp } from '../support/payloads.ts';
import { hostileBodies } from '../webhooks/hostile-bodies.ts';
import { CLOSE, CLOSED, PAGES, PATHS } from './asked-of-loop.ts';
import { watchedLoop } from './event-loop-scene.ts';
import { KEY, MASKED_KEY } from './watched-ledger.ts';

/** Of a file that is brought in. */
const FILE_BYTES = 12_000_000;
/** As large a bank file as is taken, but for what is around its lines. */
const MOST_FILE_BYTES = 16 * 1_048_576 - 10_000;
const TEXT_BYTES = 1_000;
/** What a question may add to how long the loop is held when nothing is asked. */
const BOUND_MS = 20;
const IDLE_MS = 300;
const IMPORTS = 5;
const RESTARTS = 8;
const WARM = 20;
const TRANSACTIONS = 3_000;
const TRANSFERS_OF_ONE = 5_000;
/** Numbers of transactions that no other ones have. */
const ONES = 1_000_000;

/** A small delivery to one of the orders of the scene, another one each time. */
const lateOf = (orderId: string, utr: string) => offRamp({ orderId, status: 'fiatDeemed', utr });

describe('the thread that receives', () => {
  const { url, statementId, held, startAgain } = watchedLoop();

  /** The least that the loop was held by what only a ledger that has just started has to do, once each time. */
  const heldAtFirst = async (idle: number, what: (start: number) => Promise<unknown>): Promise<number> => {
    let least = Infinity;
    for (let i = 0; i < RESTARTS && least > idle + BOUND_MS; i += 1) {
      await startAgain();
      // What is loaded by the first deliveries is no matter of that.
      for (let warm = 0; warm < WARM; warm += 1) accepted(await deliver(url(), offRamp({ orderId: `warm-${warm}` })));
      least = Math.min(least, await held(() => what(i), 1));
    }
    return least;
  };

  it('is held by no question for longer than deliveries may wait, however large what is asked for', async () => {
    const idle = await held(() => wait(IDLE_MS));
    const slow: string[] = [];
    for (const path of [...PATHS, `/v1/statements/${statementId()}/lines?limit=500`]) {
      for (const key of /\/(body|evidence)$/.test(path) ? [KEY] : [KEY, MASKED_KEY]) {
        const headers = { authorization: `Bearer ${key}` };
        const ms = await held(async () => {
          const answer = await exchange(url(), { path, headers });
          expect(answer.status, `${path}: ${answer.text.slice(0, 200)}`).to.equal(200);
        });
        if (ms > idle + BOUND_MS) slow.push(`${path}: ${ms} ms, idle ${idle} ms`);
      }
    }
    expect(slow).to.deep.equal([]);
  });

  it('is held by nobody who is the first to ask for the OpenAPI document', async () => {
    const idle = await held(() => wait(IDLE_MS));
    const first = await heldAtFirst(idle, () => exchange(url(), { path: '/openapi.json' }));
    expect(first).to.be.at.most(idle + BOUND_MS);
  });

  it('is held by no page of the console', async () => {
    const cookie = await signedInCookie(url(), KEY);
    const idle = await held(() => wait(IDLE_MS));
    const slow: string[] = [];
    for (const path of PAGES) {
      const ms = await held(async () => {
        const answer = await exchange(url(), { path, headers: { cookie } });
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
      const answer = await exchange(url(), { method: 'POST', path, headers, body: Buffer.from(body) });
      expect(answer.status, answer.text).to.equal(200);
    };
    const idle = await held(() => wait(IDLE_MS));
    const both = await held(async () => {
      await done('reopen', JSON.stringify({ note: 'opened again' }));
      await done('close', CLOSE);
    });
    expect(both - idle).to.be.at.most(BOUND_MS);
  });

  for (const [orderId, events] of [
    ['many', 'thousands of events'],
    ['wide', 'large events'],
  ] as const)
    it(`is held by no delivery for an order of ${events}, whether it remembers them or has to read them`, async () => {
      const idle = await held(() => wait(IDLE_MS));
      let late = 0;
      const remembered = await held(() => deliver(url(), lateOf(orderId, `late-${(late += 1)}`)));
      const read = await heldAtFirst(idle, (i) => deliver(url(), lateOf(orderId, `read-${i}`)));
      expect([remembered, read].filter((ms) => ms > idle + BOUND_MS)).to.deep.equal([]);
    });

  it('is held by no hostile body either', async () => {
    const idle = await held(() => wait(IDLE_MS));
    const slow: string[] = [];
    for (const { name, bytes } of hostileBodies()) {
      const ms = await held(() => deliver(url(), bytes));
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
      const answer = await exchange(url(), {
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
        const answer = await exchange(url(), { method: 'POST', path, headers, body });
        expect(answer.status, answer.text).to.equal(422);
      });
      if (ms > idle + BOUND_MS) slow.push(`${path}: ${ms} ms, idle ${idle} ms`);
    }
    expect(slow).to.deep.equal([]);
  });

  it('is held by no transfers, neither new nor known, of many transactions or of one with many', async () => {
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/x-ndjson' };
    const hex = (number: number, digits: number): string => `0x${number.toString(16).padStart(digits, '0')}`;
    const transfer = (transaction: number, place: number): string =>
      JSON.stringify({
        chainId: 137,
        txnHash: hex(transaction, 64),
        block: 1_000,
        confirmations: 100,
        status: 'success',
        token: hex(7, 40),
        from: hex(8, 40),
        to: hex(place + 1, 40),
        baseUnits: '1000',
        observedAt: '2026-03-01T00:00:00Z',
        source: 'x',
      });
    // What is new is so at each try.
    let [each, one] = [0, ONES];
    const ofEach = (): string => Array.from({ length: TRANSACTIONS }, (_, i) => transfer(each + i, i)).join('\n');
    const ofOne = (): string => Array.from({ length: TRANSFERS_OF_ONE }, (_, i) => transfer(one, i)).join('\n');
    const idle = await held(() => wait(IDLE_MS));
    const slow: string[] = [];
    for (const [what, text] of [
      ['new transactions', () => ((each += TRANSACTIONS), ofEach())],
      ['the same again', ofEach],
      ['one with many', () => ((one += 1), ofOne())],
      ['a line of it', () => transfer(one, 0)],
    ] as const) {
      const ms = await held(async () => {
        const body = Buffer.from(text());
        const answer = await exchange(url(), { method: 'POST', path: '/v1/transfers', headers, body });
        expect(answer.status, answer.text).to.equal(200);
      });
      if (ms > idle + BOUND_MS) slow.push(`${what}: ${ms} ms, idle ${idle} ms`);
    }
    expect(slow).to.deep.equal([]);
  });
});
