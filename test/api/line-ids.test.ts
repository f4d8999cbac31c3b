import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { unzipSync } from 'fflate';
import * as t from 'io-ts';
import { apiRouters } from '../../src/api/api-routers.ts';
import { readOwnEvent } from '../../src/domain/own-event/own-event.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { signedInCookie } from '../console/sign-in.ts';
import { accepted } from '../support/answers.ts';
import { deliver, exchange, type Asking } from '../support/exchange.ts';
import { offRamp } from '../support/payloads.ts';
import { formerIdOf, keyIn } from '../support/former-line-ids.ts';
import { right } from '../support/right.ts';
import { routeDependencies } from '../support/route-dependencies.ts';
import { API_KEY, SCOPES, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const REPORTS_KEY = 'reports-api-key-of-at-least-24-bytes';

const PROFILE = {
  date: 'Date',
  dateFormat: 'dd/mm/yyyy',
  amount: 'Amount',
  currency: 'INR',
  reference: ['Ref'],
  text: ['Narration'],
};
const CSV = ['Date,Amount,Ref,Narration', '10/04/2026,-100.00,U1,Olga Oracle', '10/04/2026,-7.00,R2,Vikram Shah', ''];

const Statement = t.type({ statementId: t.string });
const Lines = t.type({
  data: t.array(
    t.type({
      lineId: t.string,
      account: t.string,
      currency: t.string,
      bookedOn: t.string,
      valueOn: t.string,
      amount: t.string,
      direction: t.string,
      reversal: t.boolean,
      references: t.array(t.string),
      text: t.string,
      raw: t.null,
    }),
  ),
});
type Line = t.TypeOf<typeof Lines>['data'][number];

/** What a line's id was before there was a key, were its text this one: all that is needed for it is shown. */
const guessed = (line: Line, text: string): string =>
  sha256(
    JSON.stringify([
      line.account,
      line.currency,
      line.bookedOn,
      line.valueOn,
      line.amount.replace(/\.?0+$/, ''),
      line.direction,
      line.reversal,
      line.references,
      text,
    ]),
  );

/** Every route of the interface that is read, and what is read beside. */
const ROUTES = [
  ...apiRouters(routeDependencies(), []).flatMap(({ router }) =>
    router.stack.flatMap(({ methods, path }) => (methods.includes('GET') ? [String(path)] : [])),
  ),
  '/v1/audit?limit=500&type=LineIdsKeyed',
  '/v1/audit?limit=500&verify=true',
  '/v1/audit?limit=500&q=statement-line-ids',
  '/v1/exports/audit?format=csv',
  '/v1/exports/audit?format=ndjson',
  '/v1/exports/events?format=ndjson',
  '/v1/reconciliation/items?limit=500',
  '/metrics',
];

const PAGES = [
  '/',
  '/console/audit',
  '/console/audit?type=LineIdsKeyed&verify=true',
  '/console/audit?q=statement-line-ids',
  '/console/health',
  '/console/reconciliation',
  '/console/files/audit?format=csv',
];

const unpacked = (bytes: Buffer): string =>
  bytes.subarray(0, 2).toString() === 'PK'
    ? Object.values(unzipSync(bytes))
        .map((part) => Buffer.from(part).toString())
        .join('\n')
    : bytes.toString();

describe('the id of a bank line', () => {
  const folder = temporaryFolder();
  let ledger: RunningLedger;
  let statementId = '';

  const ask = async (asking: Asking, key = API_KEY) =>
    exchange(ledger.url, { ...asking, headers: { authorization: `Bearer ${key}`, ...asking.headers } });

  const sent = async (path: string, type: string, text: string): Promise<unknown> => {
    const answer = await ask({ method: 'POST', path, headers: { 'content-type': type }, body: Buffer.from(text) });
    expect(answer.status, answer.text).to.equal(200);
    return JSON.parse(answer.text);
  };

  before(async () => {
    ledger = await startLedger({
      env: {
        DATA_DIR: folder.path,
        API_KEYS: `test:${SCOPES}+admin=${API_KEY},reports:reports:read=${REPORTS_KEY}`,
      },
    });
    accepted(await deliver(ledger.url, offRamp({ orderId: 'one', utr: 'U1' })));
    await sent('/v1/statements/profiles/acme', 'application/json', JSON.stringify(PROFILE));
    const imported = await sent('/v1/statements?profile=acme&account=ACC-1', 'text/csv', CSV.join('\r\n'));
    ({ statementId } = right(Statement.decode(imported)));
  });
  after(() => ledger.close());

  it('tells a key with reports:read nothing of a text that is masked, whatever it guesses', async () => {
    const linesFor = async (key: string) =>
      right(Lines.decode(JSON.parse((await ask({ path: `/v1/statements/${statementId}/lines` }, key)).text))).data;
    const lines = await linesFor(REPORTS_KEY);
    expect(lines.map(({ text }) => text)).to.not.include('Olga Oracle');
    const guesses = lines.flatMap((line) => ['Olga Oracle', 'Vikram Shah'].map((text) => guessed(line, text)));
    const key = keyIn(await ledger.eventsOf('statement-line-ids')) ?? expect.fail();
    for (const event of await ledger.eventsOf(`statement-${statementId}`)) {
      const read = right(readOwnEvent(event));
      // The guesses are right: these digests stood in place of the ids before.
      if (read._tag === 'StatementLine') expect(guesses).to.include(formerIdOf(key, read.data));
    }
    for (const path of [
      `/v1/statements/${statementId}/lines`,
      '/v1/statements',
      '/v1/reconciliation/items?limit=500',
      '/v1/exports/reconciliation?format=ndjson',
    ]) {
      const { status, text } = await ask({ path }, REPORTS_KEY);
      expect(status, text).to.equal(200);
      for (const guess of guesses) expect(text, path).to.not.include(guess);
    }
  });

  it('is made with a key that is in no answer, on no page and in no file but the log, whoever asks', async () => {
    const [event = expect.fail()] = await ledger.eventsOf('statement-line-ids');
    const key = keyIn([event]) ?? expect.fail();
    const bytes = Buffer.from(key, 'hex');
    const forms = [key, key.toUpperCase(), bytes.toString('base64'), bytes.toString('base64url')];
    const expectNone = (text: string, where: string): void => {
      for (const form of forms) expect(text, where).to.not.include(form);
    };
    const filled = (path: string): string =>
      path
        .replace(/[:*]orderId/, 'one')
        .replace(/[:*]statementId/, statementId)
        .replace(/[:*]eventId/, event.id)
        .replace(/[:*]period/, '2026-04')
        .replaceAll(/[:*]\w+/g, '0');
    const answered = new Set<string>();
    for (const path of ROUTES.map(filled)) {
      const answer = await ask({ path });
      if (answer.status === 200) answered.add(path);
      expectNone(unpacked(answer.bytes), path);
    }
    // That its event is there is told, as of every event.
    expect((await ask({ path: '/v1/audit?limit=500&type=LineIdsKeyed' })).text).to.include(event.id);
    expect(answered.size, [...answered].join()).to.be.greaterThan(35);
    const cookie = await signedInCookie(ledger.url, API_KEY);
    for (const path of PAGES) {
      const page = await exchange(ledger.url, { path, headers: { cookie } });
      expect(page.status, path).to.equal(200);
      expectNone(unpacked(page.bytes), path);
    }
    for (const file of readdirSync(folder.path, { recursive: true, withFileTypes: true })) {
      const path = join(file.parentPath, file.name);
      if (!file.isFile() || file.name.startsWith('events.db')) continue;
      const content = readFileSync(path);
      expectNone(content.toString('latin1'), path);
      expect(content.includes(bytes), path).to.equal(false);
    }
  });
});
