import { setTimeout as passed } from 'node:timers/promises';
import { expect } from 'chai';
import { mt940File } from '../support/bank-files/mt940-file.ts';
import { BOOKINGS } from '../support/bank-files/booking.ts';
import { ask, expectOrderlyEnd, processFixture } from '../process/process-fixture.ts';
import { exchange } from '../support/exchange.ts';
import { at } from '../support/naive-json.ts';
import { until } from '../support/until.ts';

const IMPORTER_KEY = 'importer-api-key-of-at-least-24-bytes';
/** More than come into the match at once. */
const LINES = 4_000;
/** Before the first line, among the lines, and while they are brought into the match. */
const KILLED_AFTER_MS = [20, 300, 700, 1_500];
const MATCHED_WITHIN_MS = 120_000;

describe('an import that is killed', () => {
  const ledger = processFixture();

  it('is there whole or not at all after each kill, and is completed by the next import', async () => {
    const env = ledger.env({
      LOG_LEVEL: 'fatal',
      API_KEYS: `full:reports:read+orders:read=full-api-key-of-at-least-24-bytes,importer:statements:write+reports:read=${IMPORTER_KEY}`,
    });
    const [booking] = BOOKINGS;
    const bookings = Array.from({ length: LINES }, (_, i) => ({
      ...(booking ?? expect.fail()),
      reference: `REF${i}`,
    }));
    const body = Buffer.from(mt940File(bookings));
    const headers = { authorization: `Bearer ${IMPORTER_KEY}`, 'content-type': 'application/octet-stream' };
    const post = (url: string) =>
      exchange(url, { method: 'POST', path: '/v1/statements', body, headers }).then(
        ({ status, text }) => ({ status, text }),
        () => null,
      );
    const listIn = (text: string): readonly unknown[] => {
      const data: unknown = at(JSON.parse(text), 'data');
      return Array.isArray(data) ? data : [];
    };
    let serving = await ledger.serve(env);
    for (const ms of KILLED_AFTER_MS) {
      const asked = post(serving.url);
      await passed(ms);
      serving.signal('SIGKILL');
      const answer = await asked;
      await serving.finished;
      serving = await ledger.serve(env);
      const there = listIn((await ask(serving.url, '/v1/statements')).text);
      expect(there.map((one) => at(one, 'lines'))).to.deep.equal(there.length === 0 ? [] : [LINES]);
      if (answer?.status === 200) expect(there).to.have.length(1);
    }
    const last = await post(serving.url);
    expect(last?.status, last?.text).to.equal(200);
    const imported: unknown = JSON.parse(last?.text ?? '');
    expect([at(imported, 'lines'), at(imported, 'newLines')]).to.deep.equal([LINES, LINES]);
    const path = `/v1/reconciliation?position=${String(at(imported, 'position'))}`;
    const summary = await until(MATCHED_WITHIN_MS, 'every line in the match', async () => {
      const { status, text } = await ask(serving.url, path);
      return status === 200 ? text : null;
    });
    expect(at(JSON.parse(summary), 'rows', '0', 'items')).to.equal(LINES);
    serving.signal('SIGTERM');
    expectOrderlyEnd(await serving.finished, ledger.inFolder('data'));
    const { out } = await ledger.run(['verify', '--json'], env);
    const report: unknown = JSON.parse(out);
    expect(at(report, 'failures')).to.deep.equal([]);
    // Each line once, what they come to, and the key of their ids.
    expect(at(report, 'events')).to.equal(LINES + 2);
  }).timeout(300_000);
});
