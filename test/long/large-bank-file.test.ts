import { expect } from 'chai';
import { exchange } from '../support/exchange.ts';
import { at } from '../support/naive-json.ts';
import { until } from '../support/until.ts';
import { ask, expectOrderlyEnd, processFixture } from '../process/process-fixture.ts';

const IMPORTER_KEY = 'importer-api-key-of-at-least-24-bytes';
/** More than a call takes as arguments, and than one collection of garbage goes over in no time. */
const LINES = 150_000;
const WITHIN_MS = 240_000;

const PROFILE = { date: 'Date', dateFormat: 'yyyy-MM-dd', amount: 'Amount', currency: 'INR', text: ['Said'] };

describe('a bank file of hundreds of thousands of lines', () => {
  const ledger = processFixture();

  it('is in the read models that are built anew from the log, and a build of it ends when it is told to', async () => {
    const env = ledger.env({
      LOG_LEVEL: 'error',
      API_KEYS: `full:reports:read+orders:read=full-api-key-of-at-least-24-bytes,importer:statements:write+reports:read=${IMPORTER_KEY}`,
    });
    const dataDir = ledger.inFolder('data');
    const serving = await ledger.serve(env);
    const headers = { authorization: `Bearer ${IMPORTER_KEY}` };
    const json = { ...headers, 'content-type': 'application/json' };
    const profile = Buffer.from(JSON.stringify(PROFILE));
    const set = await exchange(serving.url, {
      method: 'POST',
      path: '/v1/statements/profiles/bank',
      body: profile,
      headers: json,
    });
    expect(set.status, set.text).to.be.oneOf([200, 201]);
    const lines = Array.from({ length: LINES }, (_, n) => `2023-03-01,${n + 1}.00,R${n}`);
    const body = Buffer.from(`Date,Amount,Said\n${lines.join('\n')}\n`);
    const imported = await fetch(`${serving.url}/v1/statements?profile=bank&account=A`, {
      method: 'POST',
      body,
      headers: { ...headers, 'content-type': 'text/csv' },
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    expect(imported.status, (await imported.text()).slice(0, 300)).to.be.oneOf([200, 201]);
    serving.signal('SIGTERM');
    expectOrderlyEnd(await serving.finished, dataDir);

    const replayed = await ledger.command(['replay'], env);
    expect(replayed.status, replayed.err).to.equal(0);
    const again = await ledger.serve(env);
    const listed = await until(WITHIN_MS, 'the file to be listed', async () => {
      const { status, text } = await ask(again.url, '/v1/statements');
      return status === 200 ? text : null;
    });
    expect(at(JSON.parse(listed), 'data', '0', 'lines')).to.equal(LINES);
    again.signal('SIGTERM');
    expectOrderlyEnd(await again.finished, dataDir);
  }).timeout(2 * WITHIN_MS);
});
