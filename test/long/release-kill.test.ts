import { mkdirSync } from 'node:fs';
import { setTimeout as passed } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { quarantineStream } from '../../src/domain/ids.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { openServing } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { ask, expectOrderlyEnd, FULL_KEY, processFixture } from '../process/process-fixture.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { at } from '../support/naive-json.ts';
import { bodyOf, offRamp } from '../support/payloads.ts';
import { putAway } from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';

const KILLS = 12;
/** Released together before each kill, each by two people. */
const TOGETHER = 6;
const LATEST_KILL_MS = 60;

type Item = { readonly orderId: string; readonly eventId: string };

const dataOf = (text: string): readonly unknown[] => {
  const data: unknown = at(JSON.parse(text), 'data');
  return Array.isArray(data) ? data : [];
};

describe('releases from quarantine that are killed', () => {
  const ledger = processFixture();

  /** The answer; null: the kill came before it. */
  const release = (url: string, { eventId }: Item): Promise<unknown> =>
    exchange(url, {
      method: 'POST',
      path: `/v1/quarantine/${eventId}/release`,
      headers: { authorization: `Bearer ${FULL_KEY}` },
    }).then(
      ({ text }): unknown => JSON.parse(text),
      () => null,
    );

  /** Bodies that today's rules can read, put into quarantine as an older version would have. */
  const putAside = async (count: number): Promise<readonly Item[]> => {
    const dataDir = ledger.inFolder('data');
    mkdirSync(dataDir);
    const store = right(await openServing({ dataDir, file: ledger.inFolder('data', 'events.db') }));
    const items: Item[] = [];
    for (let n = 0; n < count; n += 1) {
      const orderId = `o-${n}`;
      const { body } = await putAway(store, offRamp({ orderId, status: 'PayoutSuccess', utr: `U${n}`, fiat: 100 + n }));
      const [event] = right(await store.readStream(quarantineStream(sha256(body)))());
      items.push({ orderId, eventId: event?.id ?? expect.fail('nothing in quarantine') });
    }
    await store.close();
    return items;
  };

  it(`are each there once after ${KILLS} kills, or wait and are finished by the next`, async () => {
    const env = ledger.env({ LOG_LEVEL: 'fatal' });
    const survives = async (killedAfterMs: readonly (number | 'answered')[]): Promise<void> => {
      const items = await putAside(killedAfterMs.length * TOGETHER);
      let serving = await ledger.serve(env);
      const seen = { released: 0, waiting: 0, between: 0 };
      for (const [kill, afterMs] of killedAfterMs.entries()) {
        const its = items.slice(kill * TOGETHER, (kill + 1) * TOGETHER);
        const asked = [...its, ...its].map((item) => release(serving.url, item));
        await (afterMs === 'answered' ? Promise.all(asked) : passed(afterMs));
        serving.signal('SIGKILL');
        const answers = await Promise.all(asked);
        expect((await serving.finished).signal).to.equal('SIGKILL');
        serving = await ledger.serve(env);
        // What includes a delivery that came after the start includes all that was there before.
        const later = await deliver(serving.url, bodyOf(offRamp({ orderId: `later-${kill}`, status: 'pending' })));
        const position = String(at(JSON.parse(later.text), 'position'));
        const list = await ask(serving.url, `/v1/quarantine?limit=500&state=released&position=${position}`);
        const listed = dataOf(list.text);
        for (const [i, item] of its.entries()) {
          const path = `/v1/orders/${item.orderId}/events`;
          const before = dataOf((await ask(serving.url, path)).text).map((event) => at(event, 'eventId'));
          const releasedAs = listed.find((row) => at(row, 'eventId') === item.eventId);
          const answered = [answers[i], answers[i + TOGETHER]].filter((answer) => answer !== null);
          for (const answer of answered) expect(at(answer, 'eventId')).to.equal(before[0]);
          if (answered.length > 0) expect(releasedAs, 'an answered release').not.to.equal(undefined);
          if (releasedAs !== undefined) expect(at(releasedAs, 'releasedAs')).to.equal(before[0]);
          expect(before).to.have.length(releasedAs === undefined ? Math.min(1, before.length) : 1);
          seen[releasedAs !== undefined ? 'released' : before.length === 0 ? 'waiting' : 'between'] += 1;
          const again = await release(serving.url, item);
          expect(at(again, 'outcome')).to.equal('recorded');
          const after = dataOf((await ask(serving.url, path)).text).map((event) => at(event, 'eventId'));
          expect(after).to.deep.equal([at(again, 'eventId')]);
        }
      }
      expect(seen.released, 'kills after a release').to.be.at.least(1);
      expect(seen.waiting, 'kills before a release').to.be.at.least(1);
      serving.signal('SIGTERM');
      expectOrderlyEnd(await serving.finished, ledger.inFolder('data'));
      const { out } = await ledger.run(['verify', '--json'], env);
      const report: unknown = JSON.parse(out);
      expect(at(report, 'failures')).to.deep.equal([]);
      // Put away, in its order, and released: each once; and one delivery after each kill.
      expect(at(report, 'events')).to.equal(items.length * 3 + killedAfterMs.length);
    };
    // The first kill is before the releases and the last behind them; those between fall anywhere.
    const moments = fc
      .array(fc.integer({ min: 1, max: LATEST_KILL_MS }), { minLength: KILLS - 2, maxLength: KILLS - 2 })
      .map((between) => [0, ...between, 'answered' as const]);
    await fc.assert(fc.asyncProperty(moments, survives), { numRuns: 1, endOnFailure: true });
  }).timeout(180_000);
});
