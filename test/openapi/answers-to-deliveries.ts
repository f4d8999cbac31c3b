import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { branded } from '../../src/domain/brand.ts';
import { orderStream, type OrderId } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import type { ReceiveDeps } from '../../src/webhooks/receive-delivery.ts';
import { bodyOf, onRamp } from '../support/payloads.ts';
import { NOW } from '../support/route-dependencies.ts';
import { serveApi } from '../support/serve-api.ts';
import { head, openWire } from '../support/wire.ts';
import { delivery, webhooksOver, type DocumentScene } from './document-scene.ts';

/** To deliveries: taken, refused, and while nothing takes them. */
export const answersToDeliveries = ({ asker, checker }: DocumentScene): void => {
  it('to a delivery is as documented', async () => {
    const young = (): Buffer => bodyOf(onRamp({ createdAt: NOW }));
    const results: readonly ReceiveDeps['record'][] = [
      () => TE.right({ outcome: 'spooled', orderId: null }),
      () => TE.left({ _tag: 'StoreUnavailable', detail: 'away' }),
      () => TE.left({ _tag: 'RacesLost', stream: orderStream(branded<OrderId>('a')) }),
    ];
    const statuses: number[] = [];
    for (const record of results) {
      const api = await serveApi({}, [webhooksOver(record)]);
      statuses.push((await asker(api)('POST', '/v1/webhooks', null, delivery(young()))).status);
      await api.close();
    }
    expect(statuses).to.deep.equal([202, 503, 503]);
    const api = await serveApi({}, [webhooksOver(() => TE.right({ outcome: 'spooled', orderId: null }))]);
    const ask = asker(api);
    const refused = async (init: RequestInit): Promise<number> =>
      (await ask('POST', '/v1/webhooks', null, init)).status;
    expect(await refused({ body: young().toString(), headers: { 'Content-Type': 'application/json' } })).to.equal(401);
    expect(await refused(delivery(young(), { 'X-Service-Signature': 'zz' }))).to.equal(401);
    expect(await refused(delivery(young(), { 'X-Service-Signature': '0'.repeat(64) }))).to.equal(401);
    expect(await refused(delivery(bodyOf(onRamp({ createdAt: instantOf(0) }))))).to.equal(401);
    expect(await refused(delivery(young(), { 'Content-Type': 'text/plain' }))).to.equal(415);
    expect(await refused(delivery(Buffer.alloc(20_000, 32)))).to.equal(413);
    const wire = openWire(api.url);
    wire.write(
      head('POST /v1/webhooks HTTP/1.1', { host: 'x', 'content-type': 'application/json', 'content-length': 9 }),
    );
    const [late] = await wire.answered(1);
    checker().hold('POST', '/v1/webhooks', late ?? expect.fail('no answer'));
    wire.write('too late!');
    await wire.closed();
    await api.close();
  });
};
