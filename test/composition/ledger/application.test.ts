import { expect } from 'chai';
import { listen } from '../../../src/http/http-server.ts';
import { exchange } from '../../support/exchange.ts';
import { right } from '../../support/right.ts';
import { API_KEY, assembleLedger } from '../../support/running-ledger.ts';

const ADMIN = 'admin-api-key-of-at-least-24-bytes';

/** The statuses of `GET /metrics` of a ledger on this host, which nothing here binds, with no key, without the scope, with it. */
const statusesOn = async (host: string): Promise<readonly number[]> => {
  const ledger = await assembleLedger({
    env: { HOST: host, API_KEYS: `admin:admin=${ADMIN},test:orders:read=${API_KEY}` },
  });
  const server = right(await listen(ledger.answer, '127.0.0.1', 0, () => 'request-id'));
  const statuses: number[] = [];
  for (const key of [null, API_KEY, ADMIN]) {
    const headers = key === null ? {} : { authorization: `Bearer ${key}` };
    const answer = await exchange(server.url, { path: '/metrics', headers });
    if (answer.status === 200) expect(answer.text).to.include('\nramp_ledger_ready 1\n');
    statuses.push(answer.status);
  }
  await server.close();
  await ledger.close();
  return statuses;
};

// Which hosts are loopback ones is for src/config; that this decides who may see the figures is for the assembled ledger.
describe('GET /metrics of a ledger that listens on', () => {
  it('a loopback host is for everybody', async () => {
    expect(await statusesOn('::1')).to.deep.equal([200, 200, 200]);
  });

  it('any other host takes a key with the scope admin', async () => {
    expect(await statusesOn('ledger.example')).to.deep.equal([401, 403, 200]);
  });
});
