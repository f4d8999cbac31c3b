import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { branded } from '../../src/domain/brand.ts';
import { ownStream, quarantineStream, type EventId, type StreamName } from '../../src/domain/ids.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { parseMetadata } from '../../src/domain/event-metadata.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { replyBody } from '../../src/ledger/reply-body.ts';
import { allOf, expectRefused, expectScopes, listOf, refusalOf, textOf } from '../support/asking.ts';
import { cutOffStore } from '../support/cut-off-store.ts';
import { bodyOf, newOrderId, offRamp, onRamp, signatureOf } from '../support/payloads.ts';
import {
  askForRelease,
  deliverUnaware,
  expectReleased,
  orderEvents,
  putAway,
  release,
  scene,
} from '../support/quarantine-scene.ts';
import { NOW } from '../support/route-dependencies.ts';
import { serveApi, type ServedApi } from '../support/serve-api.ts';
import { right } from '../support/right.ts';

const LIST = '/v1/quarantine';
const READ = 'audit:read';
const BYTES = 'audit:read+pii:read';
const WRITE = 'quarantine:write';
const UNKNOWN = '00000000-0000-5000-8000-000000000000';

describe('quarantine routes', () => {
  let api: ServedApi;

  beforeEach(async () => {
    api = await serveApi();
  });
  afterEach(() => api.close());

  const give = async (text: string): Promise<EventId> => (await deliverUnaware(api.store, bodyOf(text))).event.eventId;

  /** The id of the event that put a body away. */
  const idOf = async (body: Buffer): Promise<string> =>
    right(await api.store.readStream(quarantineStream(sha256(body)))())[0]?.id ?? '';

  const asked = async (eventId: string): Promise<{ readonly status: number; readonly text: string }> => {
    const response = await api.ask(`${LIST}/${eventId}/release`, WRITE, { method: 'POST' });
    return { status: response.status, text: await response.text() };
  };

  describe('the list', () => {
    it('has the members of the contract, in their order', async () => {
      const eventId = await give('{"eventType":"onramp","orderId":"a"}');
      const [row] = (await listOf(api, LIST, READ)).data;
      expect(await textOf(api, LIST, READ)).to.equal(
        JSON.stringify({
          data: [
            {
              eventId,
              position: '0',
              receivedAt: '2023-03-01T00:00:00.000Z',
              secretId: 'primary',
              bodySha256: sha256(bodyOf('{"eventType":"onramp","orderId":"a"}')),
              reasons: row?.['reasons'],
              orderId: 'a',
              releasedAs: null,
              state: 'open',
              closed: null,
            },
          ],
          next: null,
        }),
      );
      expect(row?.['reasons']).to.deep.include({
        path: 'status',
        message: 'expected a non-empty string without U+0000, got nothing',
      });
    });

    it('says what a delivery was released as', async () => {
      const { body } = await scene(api.store, 'recorded');
      const { event } = await release(api.store, body);
      await give('no order');
      const { data } = await listOf(api, LIST, READ);
      expect(data.map(({ orderId, releasedAs }) => [orderId, releasedAs])).to.deep.equal([
        [null, event.eventId],
        [null, null],
      ]);
    });

    it('is paged in the order of positions', async () => {
      const ids: string[] = [];
      for (let i = 0; i < 7; i += 1) ids.push(await give(`junk ${i}`));
      for (const limit of [1, 3, 7]) {
        const rows = await allOf(api, `${LIST}?limit=${limit}`, READ);
        expect(rows.map(({ eventId }) => eventId)).to.deep.equal(ids);
      }
      expect((await listOf(api, `${LIST}?limit=7`, READ)).next).to.equal(null);
    });

    it('names no member that may be a person, and no value at all', async () => {
      const bodies = [
        '{"asha@example.com":1,"asha@example.com":2}',
        '{"customer":{"Zelda Worthy":1,"Zelda Worthy":2}}',
        '{"asha.rao@example.com":1,"asha.rao@example.com":2}',
        '{"metaData":[{"ref":1,"ref":2}]}',
        'asha@example.com is no JSON',
      ];
      for (const body of bodies) await give(body);
      const masked = await textOf(api, LIST, READ);
      expect(masked).not.to.match(/asha|Zelda|rao/);
      expect(masked).to.include('"path":"metaData.0.ref"').and.to.include('"path":"***"').and.to.include('"path":""');
      expect(await textOf(api, LIST, BYTES)).to.include('"path":"customer.Zelda Worthy"');
    });

    it('is refused as every list is', async () => {
      await give('junk');
      await expectScopes(api, LIST, ['admin', 'orders:read', 'quarantine:write', 'pii:read']);
      await expectRefused(api, READ, [
        [LIST, 'limit', ['0', '501', '']],
        [LIST, 'cursor', ['garbage', '', '%00']],
        [LIST, 'position', ['x', '1']],
        [LIST, 'q', ['a']],
        [LIST, 'state', ['waiting', 'Open', '']],
      ]);
    });

    it('waits for a position', async () => {
      await give('junk');
      expect((await listOf(api, `${LIST}?position=0`, READ)).data).to.have.length(1);
      api.readModels.hold();
      await give('more junk');
      expect((await refusalOf(api, `${LIST}?position=1`, READ)).is).to.equal('503 behind');
      expect((await listOf(api, LIST, READ)).data).to.have.length(1);
    });
  });

  describe('the signed bytes', () => {
    it('come back unchanged with their signature', async () => {
      const text = '{"eventType": "onramp",\n "orderId": "a"}';
      const response = await api.ask(`${LIST}/${await give(text)}/body`, BYTES);
      expect(response.status).to.equal(200);
      expect(await response.text()).to.equal(text);
      expect(response.headers.get('x-service-signature')).to.equal(signatureOf(bodyOf(text)));
      expect(response.headers.get('content-type')).to.equal('application/octet-stream');
      expect(response.headers.get('content-disposition')).to.match(/^attachment; filename="[0-9a-f-]{36}\.body"$/);
      expect(response.headers.get('x-content-type-options')).to.equal('nosniff');
    });

    it('need both scopes, and a delivery that is there', async () => {
      const eventId = await give('junk');
      for (const id of [eventId, UNKNOWN, '%zz']) {
        await expectScopes(api, `${LIST}/${id}/body`, [READ, 'pii:read', 'admin', WRITE]);
      }
      for (const id of [UNKNOWN, '%zz', eventId.toUpperCase(), 'x', '..%2Fx']) {
        expect((await refusalOf(api, `${LIST}/${id}/body`, BYTES)).is, id).to.equal('404 not-found');
      }
      expect((await refusalOf(api, `${LIST}/${eventId}/body?position=0`, BYTES)).is).to.equal('400 invalid-parameter');
    });
  });

  describe('a release', () => {
    it('answers as a delivery does, and again the same', async () => {
      for (const outcome of ['recorded', 'duplicate', 'conflict'] as const) {
        const { orderId, body } = await scene(api.store, outcome);
        const eventId = await idOf(body);
        const { status, text } = await asked(eventId);
        expect(status).to.equal(200);
        const answer = await release(api.store, body);
        expect(text).to.equal(replyBody(answer));
        expect(text).to.include(`"outcome":"${outcome}","orderId":"${orderId}"`);
        await expectReleased(api.store, body, answer);
        expect(await asked(eventId)).to.deep.equal({ status, text });
      }
    });

    it('is by the request that asked for it, now', async () => {
      const { body } = await putAway(api.store, offRamp());
      const response = await api.ask(`${LIST}/${await idOf(body)}/release`, WRITE, {
        method: 'POST',
        headers: { 'X-Request-Id': 'release-request-1' },
        body: '{"ignored":true}',
      });
      expect(response.headers.get('content-type')).to.match(/^application\/json/);
      const [, released] = right(await api.store.readStream(quarantineStream(sha256(body)))());
      expect(parseMetadata(released?.metadata ?? '')).to.include({ requestId: 'release-request-1', receivedAt: NOW });
    });

    it('of what still cannot be read leaves it where it is', async () => {
      const eventId = await give('junk');
      const { status, text } = await asked(eventId);
      expect(status).to.equal(200);
      expect(text).to.equal(
        `{"outcome":"quarantined","orderId":null,"eventId":"${eventId}","stream":"quarantine-${sha256(bodyOf('junk'))}","revision":0,"position":"0"}`,
      );
      expect(api.store.recorded()).to.have.length(1);
    });

    it('needs its scope and a delivery that is there', async () => {
      const { body } = await putAway(api.store, offRamp());
      const eventId = await idOf(body);
      for (const id of [eventId, UNKNOWN, '%zz']) {
        await expectScopes(api, `${LIST}/${id}/release`, ['audit:read', 'pii:read', 'admin'], { method: 'POST' });
      }
      const order = await deliverUnaware(api.store, bodyOf(onRamp({ orderId: newOrderId() })));
      for (const id of [UNKNOWN, '%zz', 'x', order.event.eventId]) {
        const { is } = await refusalOf(api, `${LIST}/${id}/release`, WRITE, { method: 'POST' });
        expect(is, id).to.equal('404 not-found');
      }
      const { is } = await refusalOf(api, `${LIST}/${eventId}/release?force=1`, WRITE, { method: 'POST' });
      expect(is).to.equal('400 invalid-parameter');
      const get = await refusalOf(api, `${LIST}/${eventId}/release`, WRITE);
      expect([get.is, get.headers.get('allow')]).to.deep.equal(['405 method-not-allowed', 'POST']);
      expect(api.store.recorded()).to.have.length(2);
    });

    it('of a delivery that the read models do not include yet waits for them', async () => {
      await give('first');
      api.readModels.hold();
      const { body } = await putAway(api.store, offRamp());
      const path = `${LIST}/${await idOf(body)}`;
      expect((await refusalOf(api, `${path}/release`, WRITE, { method: 'POST' })).is).to.equal('503 behind');
      expect((await refusalOf(api, `${path}/body`, BYTES)).is).to.equal('503 behind');
      expect(api.readModels.waits).to.deep.equal([5_000, 5_000]);
    });

    it('that can not be recorded says why as a delivery does', async () => {
      const failures = [
        [{ _tag: 'StoreUnavailable', detail: 'disk on fire' }, '503 not-durable'],
        [{ _tag: 'RacesLost', stream: branded<StreamName>('order-a') }, '503 overloaded'],
        [{ _tag: 'NotQuarantined' }, '404 not-found'],
      ] as const;
      for (const [failure, expected] of failures) {
        const failing = await serveApi({ release: () => TE.left(failure) });
        const { body } = await putAway(failing.store, offRamp());
        const id = right(await failing.store.readStream(quarantineStream(sha256(body)))())[0]?.id;
        const { is, headers, detail } = await refusalOf(failing, `${LIST}/${id}/release`, WRITE, { method: 'POST' });
        expect(is).to.equal(expected);
        expect(detail).not.to.include('fire');
        if (is.startsWith('503')) expect(Number(headers.get('retry-after'))).to.be.greaterThan(0);
        await failing.close();
      }
      const payload: JsonObject = offRamp();
      const { body } = await putAway(api.store, payload);
      const eventId = await idOf(body);
      api.store.tamper(quarantineStream(sha256(body)), 0, { rawBody: Buffer.from('changed') });
      const { is } = await refusalOf(api, `${LIST}/${eventId}/release`, WRITE, { method: 'POST' });
      expect(is).to.equal('500 unreadable-event');
      expect(api.store.recorded()).to.have.length(1);
    });
  });

  describe('a closing', () => {
    const post = (eventId: string, deed: 'close' | 'reopen', body: unknown, scopes = WRITE): Promise<Response> =>
      api.ask(`${LIST}/${eventId}/${deed}`, scopes, { method: 'POST', body: JSON.stringify(body) });

    const done = async (eventId: string, deed: 'close' | 'reopen', note: string): Promise<unknown> => {
      const response = await post(eventId, deed, { note });
      const text = await response.text();
      expect(response.status, text).to.equal(200);
      return JSON.parse(text);
    };

    const refused = async (eventId: string, deed: 'close' | 'reopen', body: unknown): Promise<string> =>
      (await refusalOf(api, `${LIST}/${eventId}/${deed}`, WRITE, { method: 'POST', body: JSON.stringify(body) })).is;

    const listed = async (state: string): Promise<readonly unknown[]> =>
      (await listOf(api, `${LIST}?state=${state}`, READ)).data.map(({ eventId }) => eventId);

    const CLOSED = { at: NOW, by: WRITE, note: 'a test of theirs' };

    it('takes a delivery off the open ones, with a note, until it is opened again', async () => {
      const [one, other] = [await give('junk'), await give('more junk')];
      expect(await done(one, 'close', ' a test of theirs\n')).to.deep.equal({
        eventId: one,
        closed: CLOSED,
        position: '2',
      });
      const [row] = (await listOf(api, `${LIST}?position=2`, READ)).data;
      expect(row).to.include({ eventId: one, state: 'closed', releasedAs: null });
      expect(row?.['closed']).to.deep.equal(CLOSED);
      expect([await listed('open'), await listed('closed'), await listed('released')]).to.deep.equal([
        [other],
        [one],
        [],
      ]);
      expect(right(await api.readModels.tallies(NOW)()).quarantined).to.equal(1);
      expect(await done(one, 'reopen', 'an order after all')).to.deep.equal({
        eventId: one,
        closed: null,
        position: '3',
      });
      expect([await listed('open'), await listed('closed')]).to.deep.equal([[one, other], []]);
      expect(await done(one, 'close', 'a test of theirs')).to.deep.include({ closed: CLOSED, position: '4' });
      expect(api.store.recorded().map(({ type, stream }) => `${type} ${stream.split('-')[0]}`)).to.deep.equal([
        'DeliveryQuarantined quarantine',
        'DeliveryQuarantined quarantine',
        'QuarantineClosed closure',
        'QuarantineReopened closure',
        'QuarantineClosed closure',
      ]);
    });

    it('shows no e-mail address of its note to who may not read personal data', async () => {
      const id = await give('junk');
      await done(id, 'close', 'a.person@example.com knows');
      const notes = await Promise.all(
        [READ, `${READ}+pii:read`].map(async (scopes) => (await listOf(api, LIST, scopes)).data[0]?.['closed']),
      );
      expect(notes).to.deep.equal([
        { ...CLOSED, note: 'a***@example.com knows' },
        { ...CLOSED, note: 'a.person@example.com knows' },
      ]);
    });

    it('answers the same again, and refuses another note', async () => {
      const id = await give('junk');
      expect(await refused(id, 'reopen', { note: 'x' })).to.equal('409 not-closed');
      const first = await done(id, 'close', 'a test of theirs');
      expect(await done(id, 'close', 'a test of theirs')).to.deep.equal(first);
      expect(await refused(id, 'close', { note: 'another' })).to.equal('409 already-closed');
      const open = await done(id, 'reopen', 'x');
      expect(await done(id, 'reopen', 'x')).to.deep.equal(open);
      expect(await refused(id, 'reopen', { note: 'y' })).to.equal('409 not-closed');
    });

    it('tells a key that did not write its note nothing of a guess, right or wrong', async () => {
      const id = await give('junk');
      const other = `audit:read+${WRITE}`;
      const guessed = async (deed: 'close' | 'reopen'): Promise<readonly string[]> =>
        Promise.all(
          ['a.person@example.com knows', 'another'].map(async (note) => {
            const asking = { method: 'POST', body: JSON.stringify({ note }) };
            return (await refusalOf(api, `${LIST}/${id}/${deed}`, other, asking)).is;
          }),
        );
      await done(id, 'close', 'a.person@example.com knows');
      expect(await guessed('close')).to.deep.equal(['409 already-closed', '409 already-closed']);
      await done(id, 'reopen', 'a.person@example.com knows');
      expect(await guessed('reopen')).to.deep.equal(['409 not-closed', '409 not-closed']);
    });

    it('is kept once, whoever closes it at the same time', async () => {
      const id = await give('junk');
      const answers = await Promise.all(['a', 'b', 'c', 'd'].map((note) => post(id, 'close', { note })));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([200, 409, 409, 409]);
      expect(api.store.recorded()).to.have.length(2);
    });

    it('does not stand in the way of a release, and is none of a released one', async () => {
      const { body } = await scene(api.store, 'recorded');
      const id = await idOf(body);
      await done(id, 'close', 'a test of theirs');
      expect((await asked(id)).text).to.include('"outcome":"recorded"');
      expect(await listed('released')).to.deep.equal([id]);
      expect(await refused(id, 'reopen', { note: 'x' })).to.equal('409 already-released');
      expect(await refused(id, 'close', { note: 'x' })).to.equal('409 already-released');
    });

    it('finishes a release that was cut off, and is refused: the order has the delivery already', async () => {
      const { orderId, body } = await scene(api.store, 'recorded');
      const id = await idOf(body);
      await askForRelease(cutOffStore(api.store, 2, 'before'), body);
      expect(await listed('released')).to.deep.equal([]);
      expect(await refused(id, 'close', { note: 'x' })).to.equal('409 already-released');
      expect(await listed('released')).to.deep.equal([id]);
      expect(right(await api.store.readStream(ownStream('closure', sha256(body)))())).to.deep.equal([]);
      expect(await orderEvents(api.store, orderId)).to.have.length(2);
      await expectReleased(api.store, body, await release(api.store, body));
    });

    it('is not undone by the same body that comes again', async () => {
      const text = '{"eventType":"onramp","orderId":"a"}';
      const id = await give(text);
      await done(id, 'close', 'a test of theirs');
      expect(await give(text)).to.equal(id);
      expect(await listed('closed')).to.deep.equal([id]);
    });

    it('needs its scope, a delivery that is there and a note', async () => {
      const id = await give('junk');
      for (const deed of ['close', 'reopen'] as const) {
        const path = `${LIST}/${id}/${deed}`;
        await expectScopes(api, path, ['audit:read', 'pii:read', 'admin'], { method: 'POST', body: '{"note":"x"}' });
        expect(await refused(UNKNOWN, deed, { note: 'x' })).to.equal('404 not-found');
        for (const body of [{}, { note: ' ' }, { note: 7 }, { note: 'x'.repeat(2_001) }]) {
          expect(await refused(id, deed, body), JSON.stringify(body).slice(0, 20)).to.equal('400 invalid-parameter');
        }
      }
      expect(api.store.recorded()).to.have.length(1);
    });
  });

  it('is 503 while the read models can not be asked', async () => {
    await give('junk');
    api.readModels.takeAway('gone');
    expect((await refusalOf(api, LIST, READ)).is).to.equal('503 behind');
    expect((await refusalOf(api, `${LIST}/${UNKNOWN}/body`, BYTES)).is).to.equal('503 behind');
    expect((await refusalOf(api, `${LIST}/${UNKNOWN}/release`, WRITE, { method: 'POST' })).is).to.equal('503 behind');
  });
});
