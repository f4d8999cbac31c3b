import { expect } from 'chai';
import fc from 'fast-check';
import { branded } from '../../src/domain/brand.ts';
import { metadataMembers, parseMetadata } from '../../src/domain/event-metadata.ts';
import { factsDigest } from '../../src/domain/facts-digest.ts';
import { orderStream, type OrderId, type Revision, type SecretId } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { conflictEvent, orderEvent } from '../../src/domain/new-event.ts';
import { orderIds } from '../support/arbitraries.ts';
import {
  bodyOf,
  newOrderId,
  offRamp,
  onRamp,
  orderContent,
  signatureOf,
  verifiedDelivery,
} from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { NOW } from '../support/route-dependencies.ts';
import { serveApi, type ServedApi } from '../support/serve-api.ts';

const receivedAt = (minute: number): { readonly receivedAt: ReturnType<typeof instantOf> } => ({
  receivedAt: instantOf(Date.UTC(2023, 2, 1, 6, 31 + minute)),
});

describe('order routes', () => {
  let api: ServedApi;
  let id: string;

  beforeEach(async () => {
    api = await serveApi();
    id = newOrderId();
  });
  afterEach(() => api.close());

  /** Records a payload as the next event of its order; `text` gives it another spelling. */
  const record = async (
    payload: JsonObject,
    kind: 'order' | 'conflict' = 'order',
    text = JSON.stringify(payload),
    secretId = 'primary',
  ): Promise<void> => {
    const content = orderContent(text);
    const there = right(await api.store.readStream(orderStream(content.payload.orderId))()).length;
    const delivery = verifiedDelivery(bodyOf(text), { ...receivedAt(there), secretId: branded<SecretId>(secretId) });
    const { stream, event } =
      kind === 'order' ? orderEvent(delivery, content) : conflictEvent(delivery, content, factsDigest(content.payload));
    right(await api.store.append(stream, there === 0 ? 'none' : branded<Revision>(there - 1), [event])());
  };

  const get = async (
    path: string,
    scopes: string | null = 'orders:read+pii:read',
  ): Promise<{ readonly status: number; readonly headers: Headers; readonly body: unknown; readonly text: string }> => {
    const response = await api.ask(path, scopes);
    const text = await response.text();
    const body: unknown = JSON.parse(text);
    return { status: response.status, headers: response.headers, body, text };
  };

  const problem = async (path: string, scopes?: string | null): Promise<string> => {
    const { status, headers, body } = await get(path, scopes);
    expect(headers.get('content-type')).to.equal('application/problem+json');
    expect(body).to.include.keys('type', 'title', 'detail', 'requestId').and.to.include({ status });
    return `${status} ${String(Object.entries(body ?? {}).find(([name]) => name === 'code')?.[1])}`;
  };

  const stream = () => orderStream(branded<OrderId>(id));

  describe('an order', () => {
    it('is shown with the members of the contract, in their order', async () => {
      await record(onRamp({ orderId: id, metaData: { ref: 'R-1' } }));
      const { status, headers, text } = await get(`/v1/orders/${id}`);
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.match(/^application\/json/);
      expect(headers.get('etag')).to.equal('W/"0"');
      expect(headers.get('cache-control')).to.equal('private, no-store');
      expect(text).to.equal(
        JSON.stringify({
          orderId: id,
          flow: 'onramp',
          status: 'fiatPending',
          phase: 'open',
          fiat: { amount: '100', currency: 'INR' },
          token: {
            symbol: 'MATIC',
            address: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
            chainId: 80001,
            amount: '0.01',
            baseUnits: '10000000000000000',
          },
          walletAddress: '0x1f9090aaE28b8a3dCeaDf281B0F12828e676c326',
          txnHash: null,
          commission: null,
          conversionRate: null,
          transactionId: null,
          tokensDeducted: null,
          tds: null,
          tenantId: null,
          payouts: [],
          customer: { id: '6384ad5d9f1c', email: 'asha.rao@example.com', name: null, phone: {} },
          metaData: { ref: 'R-1' },
          createdAt: '2023-03-01T06:31:08.000Z',
          settledAt: null,
          firstReceivedAt: '2023-03-01T06:31:00.000Z',
          lastReceivedAt: '2023-03-01T06:31:00.000Z',
          revision: 0,
          eventCount: 1,
          overdue: false,
          anomalies: [],
        }),
      );
    });

    it('keeps every digit, those of the chain id too', async () => {
      const text = JSON.stringify(offRamp({ orderId: id, chainId: 7, fiat: 8 }))
        .replace('"chainId":7', '"chainId":90071992547409931')
        .replace('"fiat":8', '"fiat":1051823.6300000001')
        .replace('"tds":1.5', '"tds":1.50');
      await record({}, 'order', text);
      const { text: shown } = await get(`/v1/orders/${id}`);
      expect(shown).to.include('"chainId":90071992547409931').and.to.include('"amount":"1051823.6300000001"');
      expect(shown).to.include('"tds":"1.50"');
      const { text: events } = await get(`/v1/orders/${id}/events`);
      expect(events).to.include('"chainId":90071992547409931').and.to.include('"tds":1.50,');
    });

    it('is current, and at a revision as it was then, clock and all', async () => {
      const late = await serveApi({ store: api.store, now: () => instantOf(Date.UTC(2023, 2, 2)) });
      try {
        await record(onRamp({ orderId: id }));
        await record(onRamp({ orderId: id, fiat: 90 }), 'conflict');
        const now = await (await late.ask(`/v1/orders/${id}`, 'orders:read')).json();
        expect(now).to.include({ revision: 1, eventCount: 2, overdue: true });
        const then = await late.ask(`/v1/orders/${id}?revision=0`, 'orders:read');
        expect(then.headers.get('etag')).to.equal('W/"0"');
        expect(await then.json()).to.include({ revision: 0, eventCount: 1, overdue: false });
      } finally {
        await late.close();
      }
    });

    it('says of an anomaly what came, masked without pii:read', async () => {
      await record(
        offRamp({
          orderId: id,
          customer: {
            id: '7384ad5d9f1d',
            name: 'Vikram Shah',
            email: 'vikram.shah@example.com',
            phone: { number: '9876543210', '98 76': 'y' },
          },
        }),
      );
      const customer = {
        id: '7384ad5d9f1d',
        name: 'Vikram S',
        email: 'v.shah@example.com',
        phone: { countrycode: '+91', number: '555', '98 76': 'x' },
        created_at: '',
      };
      await record(offRamp({ orderId: id, status: 'orderReceived', fiat: 9, customer }));
      const anomaliesIn = async (scopes: string): Promise<unknown> => (await get(`/v1/orders/${id}`, scopes)).body;
      const details = (order: unknown): unknown =>
        Object.entries(order ?? {}).find(([name]) => name === 'anomalies')?.[1];
      const open = JSON.stringify(details(await anomaliesIn('orders:read+pii:read')));
      expect(open).to.include('fiat changed: 5023.5, 9').and.to.include('customer.name changed: Vikram S, Vikram Shah');
      const hidden = JSON.stringify(details(await anomaliesIn('orders:read')));
      expect(hidden).to.include('fiat changed: 5023.5, 9').and.to.include('customer.name changed: ***, ***');
      expect(hidden).to.include('v***@example.com').and.not.to.include('Vikram').and.not.to.include('9876543210');
      expect(open).to.include('customer.phone.98 76 changed: x, y');
      expect(hidden).to.include('customer.phone.*** changed: ***, ***').and.not.to.include('98 76');
    });

    it('gives no 304', async () => {
      await record(onRamp({ orderId: id }));
      const response = await api.ask(`/v1/orders/${id}`, 'orders:read', { headers: { 'If-None-Match': 'W/"0"' } });
      expect(response.status).to.equal(200);
    });

    it('hides personal data without pii:read, and nothing else', async () => {
      await record(
        offRamp({ orderId: id, source: 'from vikram.shah@example.com', metaData: { cardNo: '4111', ref: 'R-1' } }),
      );
      for (const path of ['', '/events']) {
        const { text } = await get(`/v1/orders/${id}${path}`, 'orders:read');
        expect(text).to.include('v***@example.com').and.to.include('"cardNo":"***"').and.to.include('"ref":"R-1"');
        for (const needle of ['vikram.shah', 'Vikram', '9876543210', '+91', '4111'])
          expect(text).not.to.include(needle);
        expect((await get(`/v1/orders/${id}${path}`)).text).to.include('Vikram Shah');
      }
    });

    it('is found by any id, percent-encoded', async () => {
      await fc.assert(
        fc.asyncProperty(orderIds, async (orderId) => {
          fc.pre(orderId !== '.' && orderId !== '..');
          id = orderId;
          api.store.clear();
          await record(onRamp({ orderId }));
          for (const path of ['', '/events', '/audit']) {
            const scopes = path === '/audit' ? 'audit:read' : 'orders:read';
            expect((await get(`/v1/orders/${encodeURIComponent(orderId)}${path}`, scopes)).status).to.equal(200);
          }
          expect((await get(`/v1/orders/${encodeURIComponent(orderId)}`, 'orders:read')).body).to.include({ orderId });
        }),
        { numRuns: 50 },
      );
    });
  });

  describe('its events', () => {
    it('are listed oldest first, with the payload that was signed', async () => {
      await record(onRamp({ orderId: id }));
      await record(onRamp({ orderId: id, fiat: 90 }), 'conflict');
      const { body, text } = await get(`/v1/orders/${id}/events`);
      expect(body).to.have.all.keys('data', 'next').and.to.include({ next: null });
      expect(body).to.have.nested.property('data.length', 2);
      expect(body).to.have.nested.property('data[0].data.customer.email', 'asha.rao@example.com');
      expect(body).to.have.nested.property('data[1].type', 'ConflictingDelivery');
      expect(body).to.have.nested.property('data[1].data.fiat', 90);
      const [stored] = right(await api.store.readStream(stream())());
      expect(text).to.include(
        `"data":[{"stream":"order-${id}","revision":0,"position":"0","eventId":"${stored?.id}","type":"OnRampFiatPending","recordedAt":"${NOW}","data":{`,
      );
      expect(text).to.include(`"metadata":${JSON.stringify(metadataMembers(String(stored?.metadata)))}}`);
    });

    it('have neither digests nor signature for a key by which somebody could guess what is masked', async () => {
      await record(onRamp({ orderId: id }));
      const proofs = ['signature', 'bodySha256', 'recordSha256'];
      for (const [scopes, isShown] of [
        ['orders:read', false],
        ['audit:read+orders:read', true],
        ['orders:read+pii:read', true],
      ] as const) {
        const { text } = await get(`/v1/orders/${id}/events`, scopes);
        for (const name of proofs) expect(text.includes(`"${name}":`), `${name} with ${scopes}`).to.equal(isShown);
        expect(text).to.include('"secretId":"');
      }
    });
  });

  describe('the signed bytes', () => {
    const text = (): string => JSON.stringify(onRamp({ orderId: id }), null, 2);

    it('come back unchanged with their signature', async () => {
      await record({}, 'order', text());
      const response = await api.ask(`/v1/orders/${id}/events/0/body`, 'audit:read+pii:read');
      expect(response.status).to.equal(200);
      const body = Buffer.from(await response.arrayBuffer());
      expect(body.toString('utf8')).to.equal(text());
      expect(response.headers.get('x-service-signature')).to.equal(signatureOf(body));
      expect(response.headers.get('content-type')).to.equal('application/octet-stream');
      expect(response.headers.get('x-content-type-options')).to.equal('nosniff');
      expect(response.headers.get('content-disposition')).to.match(/^attachment; filename="[0-9a-f-]{36}\.body"$/);
      expect(response.headers.get('cache-control')).to.equal('private, no-store');
    });

    it('need both scopes', async () => {
      await record({}, 'order', text());
      for (const scopes of ['audit:read', 'pii:read', 'orders:read+pii:read', 'admin']) {
        expect(await problem(`/v1/orders/${id}/events/0/body`, scopes), scopes).to.equal('403 forbidden');
      }
    });

    it('are not there for a revision that is none', async () => {
      await record({}, 'order', text());
      for (const revision of ['1', '-1', '00', 'x', '0x0', '1e0', '99999999999999999999', '%zz', 'length']) {
        const path = `/v1/orders/${id}/events/${revision}/body`;
        expect(await problem(path, 'audit:read+pii:read'), revision).to.equal('404 not-found');
      }
    });
  });

  describe('its audit entries', () => {
    const verified = async (): Promise<unknown> => {
      const { body } = await get(`/v1/orders/${id}/audit`, 'audit:read');
      return Object.values(body ?? {}).flatMap((data: unknown) =>
        Array.isArray(data) ? data.map((entry: unknown) => Object.entries(entry ?? {}).at(-1)) : [],
      );
    };

    it('have the members of the contract', async () => {
      await record(offRamp({ orderId: id, status: 'PayoutSuccess', utr: 'UTR1' }));
      const { text } = await get(`/v1/orders/${id}/audit`, 'audit:read');
      const [stored] = right(await api.store.readStream(stream())());
      const entry = {
        position: '0',
        stream: `order-${id}`,
        revision: 0,
        eventId: stored?.id,
        type: 'OffRampPayoutSuccess',
        orderId: id,
        status: 'PayoutSuccess',
        utr: 'UTR1',
        receivedAt: '2023-03-01T06:31:00.000Z',
        recordedAt: NOW,
        secretId: 'primary',
        bodySha256: verifiedDelivery(bodyOf(stored?.data ?? '')).bodySha256,
        recordSha256: parseMetadata(stored?.metadata ?? '')?.recordSha256,
        requestId: 'request-00000001',
        verified: 'yes',
      };
      expect(text).to.equal(JSON.stringify({ data: [entry], next: null }));
    });

    it('are verified anew: a changed byte, an unknown secret and what cannot be read are told apart', async () => {
      await record(onRamp({ orderId: id }));
      await record(onRamp({ orderId: id, status: 'orderReceived' }));
      await record(onRamp({ orderId: id, status: 'fiatReceived' }), 'order', undefined, 'retired');
      await record(onRamp({ orderId: id, status: 'completed' }));
      const [first] = right(await api.store.readStream(stream())());
      api.store.tamper(stream(), 0, { data: first?.data.replace('100', '900') ?? '' });
      api.store.tamper(stream(), 3, { data: 'gone', metadata: 'gone' });
      expect(await verified()).to.deep.equal([
        ['verified', 'no'],
        ['verified', 'yes'],
        ['verified', 'unknown-secret'],
        ['verified', 'no'],
      ]);
    });
  });

  describe('an event that cannot be read', () => {
    it('is named by the order routes, and never left out', async () => {
      await record(onRamp({ orderId: id }));
      await record(onRamp({ orderId: id, status: 'orderReceived' }));
      api.store.tamper(stream(), 1, { metadata: '{}' });
      for (const path of ['', '/events']) {
        expect(await problem(`/v1/orders/${id}${path}`)).to.equal('500 unreadable-event');
        const { body } = await get(`/v1/orders/${id}${path}`);
        expect(body).to.have.property('detail').that.includes(`event 1 of stream order-${id}`);
      }
      expect(await problem(`/v1/orders/${id}/events/1/body`, 'audit:read+pii:read')).to.equal('500 unreadable-event');
      expect(api.logged).to.have.length(5);
      expect((await get(`/v1/orders/${id}?revision=0`)).status).to.equal(200);
      expect((await get(`/v1/orders/${id}/audit`, 'audit:read')).body).to.have.nested.property('data.length', 2);
    });
  });

  describe('what is refused', () => {
    const paths = ['', '/events', '/audit', '/events/0/body'];

    it('is so for want of a key or a scope before anything else', async () => {
      for (const path of paths) {
        for (const orderId of [id, '%zz', 'unknown']) {
          expect(await problem(`/v1/orders/${orderId}${path}?x=1`, null)).to.equal('401 unauthorized');
          expect(await problem(`/v1/orders/${orderId}${path}?x=1`, 'not-a-key')).to.equal('401 unauthorized');
          expect(await problem(`/v1/orders/${orderId}${path}?x=1`, 'admin')).to.equal('403 forbidden');
        }
      }
      const response = await api.ask(`/v1/orders/${id}`, null);
      expect(response.headers.get('www-authenticate')).to.equal('Bearer realm="ramp-ledger"');
    });

    it('is an order that nobody knows', async () => {
      for (const orderId of [id, '%zz', '%', '%E0%A4%A', 'a%00b', 'x'.repeat(201)]) {
        expect(await problem(`/v1/orders/${orderId}`), orderId).to.equal('404 not-found');
        expect(await problem(`/v1/orders/${orderId}/events`), orderId).to.equal('404 not-found');
        expect(await problem(`/v1/orders/${orderId}/audit`, 'audit:read'), orderId).to.equal('404 not-found');
      }
    });

    it('is a parameter that is unknown, repeated or ill-formed; the detail names it', async () => {
      await record(onRamp({ orderId: id }));
      const cases: readonly (readonly [string, string])[] = [
        ['?revision=', 'revision'],
        ['?revision=-1', 'revision'],
        ['?revision=1.0', 'revision'],
        ['?revision=00', 'revision'],
        ['?revision=%zz', 'revision'],
        ['?revision=0&revision=0', 'revision'],
        ['?limit=1', 'limit'],
        ['?Revision=0', 'Revision'],
        ['/events?revision=0', 'revision'],
        ['/events?position=9', 'position'],
        ['/events?position=x', 'position'],
      ];
      for (const [path, name] of cases) {
        expect(await problem(`/v1/orders/${id}${path}`), path).to.equal('400 invalid-parameter');
        expect((await get(`/v1/orders/${id}${path}`)).body)
          .to.have.property('detail')
          .that.includes(`${name}: `);
      }
      expect((await get(`/v1/orders/${id}/events?position=0`)).status).to.equal(200);
    });

    it('is a revision beyond the head', async () => {
      await record(onRamp({ orderId: id }));
      expect(await problem(`/v1/orders/${id}?revision=1`)).to.equal('404 not-found');
      expect(await problem(`/v1/orders/${id}?revision=99999999999999999999`)).to.equal('404 not-found');
    });

    it('is everything while the store is away, and the log says why', async () => {
      api.store.takeAway('disk on fire');
      expect(await problem(`/v1/orders/${id}`)).to.equal('503 store-unavailable');
      const { headers, text } = await get(`/v1/orders/${id}/audit`, 'audit:read');
      expect(Number(headers.get('retry-after'))).to.be.greaterThan(0);
      expect(text).not.to.include('fire');
      expect(JSON.stringify(api.logged)).to.include('disk on fire');
    });
  });
});
