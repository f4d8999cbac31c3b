import { expect } from 'chai';
import * as t from 'io-ts';
import { accepted, refused } from '../support/answers.ts';
import { deliver, exchange, type Answer } from '../support/exchange.ts';
import { ledgerProcesses } from '../support/ledger-process.ts';
import { bodyOf, newOrderId, offRamp, onRamp, SECRET, signatureOf } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { chunk, head, openWire } from '../support/wire.ts';

const KEY = 'needle-api-key-of-24-bytes-or-more';

/** What no log may hold, each unlike anything that a log holds by itself. */
const NEEDLES = {
  email: 'needle.person@example.com',
  name: 'Needle Surname',
  number: '5550199887766',
  wallet: '0xNeedleWallet',
  note: 'needle-note',
  query: 'needle-query',
};

const customer = {
  id: 'needle-customer',
  email: NEEDLES.email,
  name: NEEDLES.name,
  phone: { countrycode: '+91', number: NEEDLES.number },
  created_at: '2022-11-28T12:45:17.000Z',
};

const RequestLine = t.type({
  msg: t.literal('request'),
  level: t.union([t.number, t.string]),
  requestId: t.string,
  method: t.string,
  route: t.string,
  status: t.number,
  durationMs: t.number,
});

describe('log of a ledger that receives', () => {
  const processes = ledgerProcesses(() => ({}));
  let folder: ReturnType<typeof temporaryFolder>;
  before(() => {
    folder = temporaryFolder();
  });
  after(async () => {
    await processes.endAll();
    folder.remove();
  });

  it('has one line for each request, and nothing that is secret or personal', async () => {
    const ledger = await processes.serve({
      DATA_DIR: folder.path,
      WEBHOOK_SECRETS: `primary=${SECRET}`,
      WEBHOOK_MAX_BODY_BYTES: '5000',
      API_KEYS: `all:orders:read+audit:read+pii:read=${KEY}`,
      LOG_LEVEL: 'trace',
    });
    const { url } = ledger;
    const sent: string[] = [];
    const named = (what: string): { readonly 'x-request-id': string } => {
      sent.push(`request-${what}`);
      return { 'x-request-id': `request-${what}` };
    };
    const signatures: string[] = [];
    const deliverNamed = (what: string, body: Buffer, more = {}, signature?: string | null): Promise<Answer> => {
      signatures.push(signatureOf(body));
      const headers = { ...named(what), ...more };
      return deliver(url, body, signature === undefined ? { headers } : { headers, signature });
    };
    const order = onRamp({ receiverWalletAddress: NEEDLES.wallet, customer, metaData: { note: NEEDLES.note } });
    const payout = offRamp({
      customer,
      senderWalletAddress: NEEDLES.wallet,
      utr: NEEDLES.number,
      status: 'fiatDeemed',
    });
    const unreadable = bodyOf(`{"email":"${NEEDLES.email}","note":"${NEEDLES.note}",`);

    accepted(await deliverNamed('recorded', bodyOf(order)));
    accepted(await deliverNamed('payout', bodyOf(payout)));
    accepted(await deliverNamed('duplicate', bodyOf(order)));
    accepted(await deliverNamed('conflict', bodyOf({ ...order, fiat: 101 })));
    accepted(await deliverNamed('no-json', unreadable));
    accepted(await deliverNamed('wrong-shape', bodyOf({ ...order, orderId: newOrderId(), customer: NEEDLES.email })));
    accepted(await deliverNamed('odd-members', bodyOf(`{"${NEEDLES.email}":1,"${NEEDLES.email}":2}`)));
    const forged = 'deadbeef'.repeat(8);
    refused(await deliverNamed('forged', bodyOf(order), {}, forged), 401, 'signature-mismatch');
    refused(await deliverNamed('unsigned', bodyOf(order), {}, null), 401, 'signature-missing');
    refused(await deliverNamed('malformed', bodyOf(order), {}, `${forged}00`), 401, 'signature-malformed');
    refused(await deliverNamed('type', bodyOf(order), { 'content-type': 'text/plain' }), 415, 'unsupported-media-type');
    refused(await deliverNamed('large', bodyOf({ ...order, note: NEEDLES.note.repeat(999) })), 413, 'body-too-large');

    // Cut off in the middle: by the caller, and by a chunk that is none.
    for (const what of ['aborted', 'broken']) {
      const wire = openWire(url);
      const headers = { host: 'x', 'content-type': 'application/json', 'transfer-encoding': 'chunked', ...named(what) };
      wire.write(head(`POST /v1/webhooks?${NEEDLES.query} HTTP/1.1`, { ...headers, 'x-service-signature': forged }));
      wire.write(chunk(bodyOf(order)));
      if (what === 'broken') {
        wire.write(`${NEEDLES.note}\r\n`);
        await wire.closed();
      }
      accepted(await deliverNamed(`beside-${what}`, bodyOf(order)));
      wire.cut();
    }
    const noHttp = openWire(url);
    noHttp.write(`${NEEDLES.email} ${NEEDLES.note}\r\n\r\n`);
    await noHttp.closed();
    noHttp.cut();

    const path = `/v1/orders/${typeof order['orderId'] === 'string' ? order['orderId'] : ''}`;
    for (const [what, key, query] of [
      ['asked', KEY, ''],
      ['asked-with-query', KEY, `?q=${NEEDLES.query}`],
      ['asked-with-wrong-key', `${KEY}-wrong`, `?${NEEDLES.query}=1`],
    ] as const) {
      for (const rest of ['', '/events', '/events/0/body', '/audit']) {
        const headers = { ...named(`${what}${rest.replaceAll('/', '-')}`), authorization: `Bearer ${key}` };
        await exchange(url, { path: `${path}${rest}${query}`, headers });
      }
    }

    ledger.signal('SIGTERM');
    const { out, err, status } = await ledger.finished;
    expect([status, err]).to.deep.equal([0, '']);
    const lines = out.split('\n').filter((line) => line.includes('"msg":"request"'));
    const requests = lines.map((line) => right(RequestLine.decode(JSON.parse(line))));
    expect(requests.map(({ requestId }) => requestId)).to.have.members(sent);
    for (const { route } of requests) expect(route).to.match(/^\/v1\/[\w/:-]+$/);
    const secrets = { secret: SECRET, key: KEY, forged };
    for (const [what, needle] of Object.entries({ ...NEEDLES, ...secrets })) expect(out, what).to.not.include(needle);
    for (const signature of signatures) expect(out, 'a signature').to.not.include(signature);
    expect(out).to.not.match(/needle/i);
  });
});
