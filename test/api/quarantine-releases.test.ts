import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { branded } from '../../src/domain/brand.ts';
import { quarantineStream, type StreamName } from '../../src/domain/ids.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { parseMetadata } from '../../src/domain/event-metadata.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { replyBody } from '../../src/ledger/reply-body.ts';
import { expectScopes, refusalOf } from '../support/asking.ts';
import { bodyOf, newOrderId, offRamp, onRamp } from '../support/payloads.ts';
import { deliverUnaware, expectReleased, putAway, release, scene } from '../support/quarantine-scene.ts';
import { NOW } from '../support/route-dependencies.ts';
import { serveApi } from '../support/serve-api.ts';
import { right } from '../support/right.ts';
import { BYTES, LIST, quarantineRoutes, UNKNOWN, WRITE } from './quarantine-routes-scene.ts';

describe('releases of quarantined deliveries', () => {
  const { api, give, idOf, asked } = quarantineRoutes();

  it('answers as a delivery does, and again the same', async () => {
    for (const outcome of ['recorded', 'duplicate', 'conflict'] as const) {
      const { orderId, body } = await scene(api().store, outcome);
      const eventId = await idOf(body);
      const { status, text } = await asked(eventId);
      expect(status).to.equal(200);
      const answer = await release(api().store, body);
      expect(text).to.equal(replyBody(answer));
      expect(text).to.include(`"outcome":"${outcome}","orderId":"${orderId}"`);
      await expectReleased(api().store, body, answer);
      expect(await asked(eventId)).to.deep.equal({ status, text });
    }
  });

  it('is by the request that asked for it, now', async () => {
    const { body } = await putAway(api().store, offRamp());
    const response = await api().ask(`${LIST}/${await idOf(body)}/release`, WRITE, {
      method: 'POST',
      headers: { 'X-Request-Id': 'release-request-1' },
      body: '{"ignored":true}',
    });
    expect(response.headers.get('content-type')).to.match(/^application\/json/);
    const [, released] = right(await api().store.readStream(quarantineStream(sha256(body)))());
    expect(parseMetadata(released?.metadata ?? '')).to.include({ requestId: 'release-request-1', receivedAt: NOW });
  });

  it('of what still cannot be read leaves it where it is', async () => {
    const eventId = await give('junk');
    const { status, text } = await asked(eventId);
    expect(status).to.equal(200);
    expect(text).to.equal(
      `{"outcome":"quarantined","orderId":null,"eventId":"${eventId}","stream":"quarantine-${sha256(bodyOf('junk'))}","revision":0,"position":"0"}`,
    );
    expect(api().store.recorded()).to.have.length(1);
  });

  it('needs its scope and a delivery that is there', async () => {
    const { body } = await putAway(api().store, offRamp());
    const eventId = await idOf(body);
    for (const id of [eventId, UNKNOWN, '%zz']) {
      await expectScopes(api(), `${LIST}/${id}/release`, ['audit:read', 'pii:read', 'admin'], { method: 'POST' });
    }
    const order = await deliverUnaware(api().store, bodyOf(onRamp({ orderId: newOrderId() })));
    for (const id of [UNKNOWN, '%zz', 'x', order.event.eventId]) {
      const { is } = await refusalOf(api(), `${LIST}/${id}/release`, WRITE, { method: 'POST' });
      expect(is, id).to.equal('404 not-found');
    }
    const { is } = await refusalOf(api(), `${LIST}/${eventId}/release?force=1`, WRITE, { method: 'POST' });
    expect(is).to.equal('400 invalid-parameter');
    const get = await refusalOf(api(), `${LIST}/${eventId}/release`, WRITE);
    expect([get.is, get.headers.get('allow')]).to.deep.equal(['405 method-not-allowed', 'POST']);
    expect(api().store.recorded()).to.have.length(2);
  });

  it('of a delivery that the read models do not include yet waits for them', async () => {
    await give('first');
    api().readModels.hold();
    const { body } = await putAway(api().store, offRamp());
    const path = `${LIST}/${await idOf(body)}`;
    expect((await refusalOf(api(), `${path}/release`, WRITE, { method: 'POST' })).is).to.equal('503 behind');
    expect((await refusalOf(api(), `${path}/body`, BYTES)).is).to.equal('503 behind');
    expect(api().readModels.waits).to.deep.equal([5_000, 5_000]);
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
    const { body } = await putAway(api().store, payload);
    const eventId = await idOf(body);
    api().store.tamper(quarantineStream(sha256(body)), 0, { rawBody: Buffer.from('changed') });
    const { is } = await refusalOf(api(), `${LIST}/${eventId}/release`, WRITE, { method: 'POST' });
    expect(is).to.equal('500 unreadable-event');
    expect(api().store.recorded()).to.have.length(1);
  });
});
