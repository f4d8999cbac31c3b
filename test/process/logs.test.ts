import { expect } from 'chai';
import * as t from 'io-ts';
import { deliver, exchange } from '../support/exchange.ts';
import { bodyOf, onRamp, SECRET, signatureOf } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { ask, FULL_KEY, MASKED_KEY, processFixture } from './process-fixture.ts';

const Line = t.intersection([
  t.type({ level: t.number, time: t.string, msg: t.string }),
  t.partial({ requestId: t.string, method: t.string, route: t.string, status: t.number, outcome: t.string }),
]);

type Line = t.TypeOf<typeof Line>;

const linesOf = (out: string): readonly Line[] =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => right(Line.decode(JSON.parse(line))));

describe('the log of a ledger', () => {
  const ledger = processFixture();

  it('has one line for each request, and neither secrets, keys, queries nor personal data', async () => {
    const { url, signal, finished } = await ledger.serve(ledger.env());
    const payload = onRamp({ orderId: 'ord-1' });
    const requests = [
      await deliver(url, payload),
      await deliver(url, payload),
      await deliver(url, 'no JSON'),
      await deliver(url, payload, { signature: signatureOf(bodyOf(payload), `${SECRET}-wrong`) }),
      await ask(url, '/v1/orders/ord-1'),
      await ask(url, '/v1/orders/ord-1?q=asha.rao@example.com'),
      await ask(url, '/v1/orders/ord-1', 'a-key-that-nobody-gave-out'),
      await ask(url, '/v1/orders/ord-404', MASKED_KEY),
      await exchange(url, { path: '/livez' }),
      await exchange(url, { path: '/nothing-here' }),
      await ask(url, '/v1/orders/asha%40example.com'),
      await ask(url, '/asha%40example.com/and?more=1'),
    ];
    signal('SIGTERM');
    const { out, err } = await finished;
    expect(err).to.equal('');
    const access = linesOf(out).filter(({ method }) => method !== undefined);
    expect(access.map(({ requestId, status }) => ({ requestId, status }))).to.deep.equal(
      requests.map(({ status, headers }) => ({ requestId: headers['x-request-id'], status })),
    );
    expect(access.slice(0, 4).map(({ outcome }) => outcome)).to.deep.equal([
      'recorded',
      'duplicate',
      'quarantined',
      'signature-mismatch',
    ]);
    const secrets = [
      SECRET,
      FULL_KEY,
      MASKED_KEY,
      'a-key-that-nobody',
      'asha',
      'nothing-here',
      'q=',
      signatureOf(bodyOf(payload)),
    ];
    for (const secret of secrets) expect(out).to.not.include(secret);
  });

  it('is silent at that level but for the line that says where the ledger listens', async () => {
    const { url, signal, finished } = await ledger.serve(ledger.env({ LOG_LEVEL: 'silent' }));
    await deliver(url, onRamp());
    signal('SIGTERM');
    const { out } = await finished;
    expect(linesOf(out).map(({ msg }) => msg)).to.deep.equal(['listening']);
  });
});
