import { expect } from 'chai';
import { wait } from '../../src/concurrency/wait.ts';
import { signedInCookie } from '../console/sign-in.ts';
import { exchange } from '../support/exchange.ts';
import { onRamp } from '../support/payloads.ts';
import { KEY, watchedLedger } from './watched-ledger.ts';

const CURRENCIES = 6_000;
const NAME_LENGTH = 900;
const MONTH = '2023-03';
/** What a question may add to how long the loop is held when nothing is asked. */
const BOUND_MS = 20;
const IDLE_MS = 300;

const AUTHORIZATION = { authorization: `Bearer ${KEY}` };

describe('the thread that receives, where there are thousands of currencies with long names', () => {
  const { url, held } = watchedLedger(async ({ url: at, delivered }) => {
    const position = await delivered(
      Array.from({ length: CURRENCIES }, (_, i) =>
        onRamp({
          orderId: `of-${i}`,
          status: 'completed',
          currency: `C${i}`.padEnd(NAME_LENGTH, 'X'),
          createdAt: `${MONTH}-${String(1 + (i % 28)).padStart(2, '0')}T06:31:08.000Z`,
        }),
      ),
    );
    const path = `/v1/orders?limit=1&position=${position}`;
    expect((await exchange(at(), { path, headers: AUTHORIZATION })).status).to.equal(200);
  });

  it('is held neither by the readiness of a month, nor by the manifest of a file, nor by the page of a month', async () => {
    const cookie = { cookie: await signedInCookie(url(), KEY) };
    const idle = await held(() => wait(IDLE_MS));
    const slow: string[] = [];
    let tries = 0;
    for (const [asked, headers] of [
      [`/v1/periods/${MONTH}/readiness?`, AUTHORIZATION],
      // Of another file each time: of one that was given it is known.
      ['/v1/exports/orders/manifest?to=2030-01-', AUTHORIZATION],
      [`/console/periods/${MONTH}?`, cookie],
    ] as const) {
      const ms = await held(async () => {
        tries += 1;
        const path = asked.endsWith('?') ? asked.slice(0, -1) : `${asked}${String(tries).padStart(2, '0')}`;
        const answer = await exchange(url(), { path, headers });
        expect(answer.status, `${path}: ${answer.text.slice(0, 200)}`).to.equal(200);
      });
      if (ms > idle + BOUND_MS) slow.push(`${asked}: ${ms} ms, idle ${idle} ms`);
    }
    expect(slow).to.deep.equal([]);
  });
});
