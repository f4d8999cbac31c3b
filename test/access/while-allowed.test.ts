import { once } from 'node:events';
import { request } from 'node:http';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { whileAllowed } from '../../src/access/while-allowed.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { onRamp } from '../support/payloads.ts';
import { API_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { until } from '../support/until.ts';

const PROFILE = JSON.stringify({
  date: 'Date',
  dateFormat: 'dd/mm/yyyy',
  amount: 'Amount',
  currency: 'INR',
  reference: [],
});
const PROFILE_PATH = '/v1/statements/profiles/late';
const SOON_MS = 10_000;

const HEADERS = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };

describe('a key that is taken out', () => {
  let ledger: RunningLedger;
  /** How often it is still found valid when it is looked at, and how often that was done. */
  let found: number;
  let looked: number;
  /** What happens when the stream of a profile is read. */
  let onProfileRead: () => void;

  before(async () => {
    ledger = await startLedger({
      apiKeys: (configured) => {
        looked += 1;
        return looked > found ? [] : configured;
      },
      wrapStore: (store) => ({
        ...store,
        lastOfStream: (stream) => {
          if (stream.startsWith('profile-')) onProfileRead();
          return store.lastOfStream(stream);
        },
      }),
    });
    await deliver(ledger.url, onRamp({ orderId: 'o' }));
  });
  after(() => ledger.close());
  beforeEach(() => {
    [found, looked] = [Infinity, 0];
    onProfileRead = () => undefined;
  });
  const takeOut = (): void => {
    found = 0;
  };

  it('does nothing by a body that comes afterwards', async () => {
    const before = await ledger.eventCount();
    const sent = request(new URL(PROFILE_PATH, ledger.url), {
      method: 'POST',
      headers: { ...HEADERS, 'content-length': PROFILE.length },
    });
    const answered: Promise<readonly unknown[]> = once(sent, 'response');
    sent.write(PROFILE.slice(0, 9));
    await until(SOON_MS, 'the beginning of the question', () => Promise.resolve(looked >= 2 ? true : null));
    takeOut();
    sent.end(PROFILE.slice(9));
    const [answer] = await answered;
    expect(answer).to.have.property('statusCode', 401);
    expect(await ledger.eventCount()).to.equal(before);
  });

  it('has nothing appended that was still being decided', async () => {
    const before = await ledger.eventCount();
    onProfileRead = takeOut;
    const asked = { method: 'POST', path: PROFILE_PATH, headers: HEADERS, body: Buffer.from(PROFILE) };
    const refused = await exchange(ledger.url, asked);
    expect([refused.status, refused.text.includes('"unauthorized"')]).to.deep.equal([401, true]);
    expect(refused.headers['www-authenticate']).to.include('error="invalid_token"');
    expect(await ledger.eventCount()).to.equal(before);
    onProfileRead = () => undefined;
    found = Infinity;
    expect((await exchange(ledger.url, asked)).status).to.equal(200);
    expect(await ledger.eventCount()).to.equal(before + 1);
    expect(ledger.unexpected).to.deep.equal([]);
  });

  it('is given no answer that was not there before, of whatever thread', async () => {
    for (const path of ['/v1/orders/o/audit', '/v1/orders/o/events/0/body', '/v1/orders', '/v1/periods']) {
      // Valid when it is shown and when the question begins.
      [found, looked] = [2, 0];
      const refused = await exchange(ledger.url, { path, headers: HEADERS });
      expect([path, refused.status]).to.deep.equal([path, 401]);
      found = Infinity;
      expect((await exchange(ledger.url, { path, headers: HEADERS })).status, path).to.equal(200);
    }
  });

  it('has what was opened for it closed, when nobody is given it', async () => {
    const dropped: string[] = [];
    let isValid = true;
    const made = await whileAllowed(
      { keyId: 'a', mayRead: () => isValid },
      () => {
        isValid = false;
        return Promise.resolve(E.right('opened'));
      },
      (what) => {
        dropped.push(what);
        return Promise.resolve();
      },
    )();
    expect([made, dropped]).to.deep.equal([E.left({ _tag: 'AccessEnded' }), ['opened']]);
  });
});
