import { setTimeout as passed } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { sha256 } from '../../src/domain/sha256.ts';
import { ask, expectOrderlyEnd, processFixture } from '../process/process-fixture.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { at } from '../support/naive-json.ts';
import { bodyOf, onRamp } from '../support/payloads.ts';

const CLOSER_KEY = 'closer-api-key-of-at-least-24-bytes';
const KILLS = 12;
const ORDERS = 40;
const MARCH = '2026-03-05T06:31:08.000Z';
const MONTH = '/v1/periods/2026-03';
const LATEST_KILL_MS = 150;

describe('a close that is killed', () => {
  const ledger = processFixture();

  /** The status of the answer; null: the kill came before it. */
  const post = async (url: string, deed: string, body: object): Promise<number | null> => {
    const sent = { method: 'POST', path: `${MONTH}/${deed}`, body: Buffer.from(JSON.stringify(body)) };
    const headers = { authorization: `Bearer ${CLOSER_KEY}` };
    return exchange(url, { ...sent, headers }).then(
      ({ status }) => status,
      () => null,
    );
  };
  const historyOf = (period: unknown): readonly unknown[] => {
    const history: unknown = at(period, 'history');
    return Array.isArray(history) ? history : [];
  };

  it(`has closed the month once, or not at all, after each of ${KILLS} kills around it`, async () => {
    const env = ledger.env({
      LOG_LEVEL: 'fatal',
      API_KEYS: `full:reports:read+orders:read=full-api-key-of-at-least-24-bytes,closer:periods:write=${CLOSER_KEY}`,
    });
    const request = { note: 'n', despite: ['clock-anomalies', 'earlier-closed'] };
    const survives = async (killedAfterMs: readonly (number | 'answered')[]): Promise<void> => {
      let serving = await ledger.serve(env);
      for (let n = 0; n < ORDERS; n += 1) {
        const order = onRamp({ orderId: `o-${n}`, createdAt: MARCH, status: 'completed', fiat: n + 0.1 });
        expect((await deliver(serving.url, bodyOf(order))).status).to.equal(200);
      }
      let deeds = 0;
      const ends = { closed: 0, open: 0 };
      for (const afterMs of killedAfterMs) {
        const asked = [post(serving.url, 'close', request), post(serving.url, 'close', request)];
        await (afterMs === 'answered' ? Promise.all(asked) : passed(afterMs));
        serving.signal('SIGKILL');
        const statuses = await Promise.all(asked);
        expect((await serving.finished).signal).to.equal('SIGKILL');
        serving = await ledger.serve(env);
        const period: unknown = JSON.parse((await ask(serving.url, MONTH)).text);
        const closes = historyOf(period).length - deeds;
        expect(closes, JSON.stringify(statuses)).to.be.oneOf([0, 1]);
        expect(at(period, 'state')).to.equal(closes === 1 ? 'closed' : 'open');
        if (statuses.some((status) => status !== null)) expect(closes, 'an answered close').to.equal(1);
        ends[closes === 1 ? 'closed' : 'open'] += 1;
        if (closes === 0) expect(await post(serving.url, 'close', request)).to.equal(200);
        const closed: unknown = JSON.parse((await ask(serving.url, MONTH)).text);
        const report = await ask(serving.url, '/v1/reports/onramp?period=2026-03');
        expect(at(closed, 'reports', 'onramp', 'sha256')).to.equal(sha256(report.text));
        expect(await post(serving.url, 'reopen', { note: 'once more' })).to.equal(200);
        deeds += 2;
      }
      expect(ends.closed, 'kills after the close').to.be.at.least(1);
      expect(ends.open, 'kills before the close').to.be.at.least(1);
      serving.signal('SIGTERM');
      expectOrderlyEnd(await serving.finished, ledger.inFolder('data'));
      const { out } = await ledger.run(['verify', '--json'], env);
      const report: unknown = JSON.parse(out);
      expect(at(report, 'failures')).to.deep.equal([]);
      expect(at(report, 'events')).to.equal(ORDERS + deeds);
    };
    // The first kill is before the close and the last behind it; those between fall anywhere.
    const moments = fc
      .array(fc.integer({ min: 1, max: LATEST_KILL_MS }), { minLength: KILLS - 2, maxLength: KILLS - 2 })
      .map((between) => [0, ...between, 'answered' as const]);
    await fc.assert(fc.asyncProperty(moments, survives), { numRuns: 1, endOnFailure: true });
  }).timeout(180_000);
});
