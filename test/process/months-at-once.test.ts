import { expect } from 'chai';
import { takeMonthsOf } from '../../src/composition/take-months.ts';
import { wait } from '../../src/concurrency/wait.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { onRamp } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { expectOneLine, FULL_KEY, processFixture } from './process-fixture.ts';

const MARCH = '2026-03-05T06:31:08Z';
/** As long as either takes where it waits for nobody, several times. */
const HELD_MS = 1_500;

describe('a month that a command and the ledger beside it are to close at once', () => {
  const ledger = processFixture();

  it('is closed by one of them, while nobody else decides over months of the data directory', async () => {
    const env = ledger.env({ API_KEYS: `full:reports:read+periods:write=${FULL_KEY}`, LOG_LEVEL: 'fatal' });
    const { url } = await ledger.serve(env);
    await deliver(url, onRamp({ orderId: 'on-1', createdAt: MARCH, updated_at: MARCH, status: 'completed' }));
    const giveBack = right(takeMonthsOf(ledger.inFolder('data'))()) ?? expect.fail('somebody has the months');
    const done: string[] = [];
    const command = ledger.command(['period', 'close', '2026-03', '--json'], env).finally(() => done.push('command'));
    const request = exchange(url, {
      method: 'POST',
      path: '/v1/periods/2026-03/close',
      headers: { authorization: `Bearer ${FULL_KEY}`, 'content-type': 'application/json' },
      body: Buffer.from('{}'),
    }).finally(() => done.push('request'));
    await wait(HELD_MS);
    expect(done).to.deep.equal([]);
    giveBack();
    const [ended, { status, text }] = await Promise.all([command, request]);
    if (status === 200) expectOneLine(ended, 1, /closed already/);
    else expect([ended.status, status, text.includes('already-closed')]).to.deep.equal([0, 409, true]);
  }).timeout(30_000);
});
