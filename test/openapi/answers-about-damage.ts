import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ApiDependencies } from '../../src/api/api-dependencies.ts';
import { branded } from '../../src/domain/brand.ts';
import { orderStream, quarantineStream, type OrderId } from '../../src/domain/ids.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { unreadableEvent } from '../../src/domain/unreadable-event.ts';
import { noProofLog } from '../../src/proofs/no-proof-log.ts';
import { bodyOf, onRamp } from '../support/payloads.ts';
import { deliver as taken, putAway } from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';
import { NOW } from '../support/route-dependencies.ts';
import { serveApi, type ServedApi } from '../support/serve-api.ts';
import { delivery, metricsOf, webhooksOver, type DocumentScene } from './document-scene.ts';

/** Every question to it fails as nobody expected. */
const broken = <A extends object>(port: A): A =>
  new Proxy(port, {
    get: () => () => {
      throw new Error('broken');
    },
  });

/** About damaged events, and where something breaks that nobody expected. */
export const answersAboutDamage = ({ asker, keyed }: DocumentScene): void => {
  it('about a damaged event is as documented', async () => {
    const api = await serveApi();
    const ask = asker(api);
    await taken(api.store, bodyOf(onRamp({ orderId: 'damaged' })));
    api.store.tamper(orderStream(branded<OrderId>('damaged')), 0, { metadata: '{}' });
    await ask('GET', '/v1/orders/damaged', 'orders:read');
    await ask('GET', '/v1/orders/damaged/events', 'orders:read');
    await ask('GET', '/v1/orders/damaged/events/0/body', 'audit:read+pii:read');
    await ask('GET', '/v1/exports/events/manifest', 'audit:read+orders:read');
    const signed = { note: '', size: 1, position: right(await api.store.head()()), signedAt: NOW };
    const proven = await serveApi({
      store: api.store,
      proofs: { ...noProofLog, including: () => TE.right(signed) },
    });
    await asker(proven)('GET', '/v1/orders/damaged/evidence', 'audit:read+pii:read');
    await proven.close();
    const { body } = await putAway(api.store, '{');
    const stream = quarantineStream(sha256(body));
    const [event = expect.fail('nothing in quarantine')] = right(await api.store.readStream(stream)());
    const { id } = event;
    const failing = (failure: ReturnType<ApiDependencies['release']>): Promise<ServedApi> =>
      serveApi({ store: api.store, readModels: api.readModels, release: () => failure });
    const failures = [
      TE.left(unreadableEvent(event, 'damaged')),
      TE.left({ _tag: 'StoreUnavailable' as const, detail: 'away' }),
      TE.left({ _tag: 'RacesLost' as const, stream }),
    ];
    for (const failure of failures) {
      const over = await failing(failure);
      await asker(over)('POST', `/v1/quarantine/${id}/release`, 'quarantine:write');
      await over.close();
    }
    const known = api.readModels.quarantined(id);
    const before = right(await known());
    api.store.tamper(stream, 0, { metadata: '{}' });
    const over = await serveApi({
      store: api.store,
      readModels: { ...api.readModels, quarantined: () => TE.right(before) },
    });
    await asker(over)('GET', `/v1/quarantine/${id}/body`, 'audit:read+pii:read');
    await over.close();
    await api.close();
  });

  it('where something breaks is as documented', async () => {
    const whole = await serveApi();
    const failing = (): never => {
      throw new Error('broken');
    };
    const api = await serveApi(
      {
        store: broken(whole.store),
        readModels: broken(whole.readModels),
        proofs: broken(noProofLog),
        exporter: failing,
      },
      [webhooksOver(failing), metricsOf({ page: failing })],
    );
    const ask = asker(api);
    for (const [id, { method, whole: path, scopes, init }] of keyed()) {
      expect((await ask(method, path, scopes, init)).status, id).to.equal(500);
    }
    expect((await ask('POST', '/v1/webhooks', null, delivery(bodyOf(onRamp({ createdAt: NOW }))))).status).to.equal(
      500,
    );
    await api.close();
    await whole.close();
  });
};
