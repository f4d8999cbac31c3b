import { expect } from 'chai';
import { sha256 } from '../../src/domain/sha256.ts';
import { allOf, expectRefused, expectScopes, listOf, refusalOf, textOf } from '../support/asking.ts';
import { bodyOf, signatureOf } from '../support/payloads.ts';
import { release, scene } from '../support/quarantine-scene.ts';
import { BYTES, LIST, quarantineRoutes, READ, UNKNOWN, WRITE } from './quarantine-routes-scene.ts';

describe('quarantine routes', () => {
  const { api, give } = quarantineRoutes();

  describe('the list', () => {
    it('has the members of the contract, in their order', async () => {
      const eventId = await give('{"eventType":"onramp","orderId":"a"}');
      const [row] = (await listOf(api(), LIST, READ)).data;
      expect(await textOf(api(), LIST, READ)).to.equal(
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
      const { body } = await scene(api().store, 'recorded');
      const { event } = await release(api().store, body);
      await give('no order');
      const { data } = await listOf(api(), LIST, READ);
      expect(data.map(({ orderId, releasedAs }) => [orderId, releasedAs])).to.deep.equal([
        [null, event.eventId],
        [null, null],
      ]);
    });

    it('is paged in the order of positions', async () => {
      const ids: string[] = [];
      for (let i = 0; i < 7; i += 1) ids.push(await give(`junk ${i}`));
      for (const limit of [1, 3, 7]) {
        const rows = await allOf(api(), `${LIST}?limit=${limit}`, READ);
        expect(rows.map(({ eventId }) => eventId)).to.deep.equal(ids);
      }
      expect((await listOf(api(), `${LIST}?limit=7`, READ)).next).to.equal(null);
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
      const masked = await textOf(api(), LIST, READ);
      expect(masked).not.to.match(/asha|Zelda|rao/);
      expect(masked).to.include('"path":"metaData.0.ref"').and.to.include('"path":"***"').and.to.include('"path":""');
      expect(await textOf(api(), LIST, BYTES)).to.include('"path":"customer.Zelda Worthy"');
    });

    it('is refused as every list is', async () => {
      await give('junk');
      await expectScopes(api(), LIST, ['admin', 'orders:read', 'quarantine:write', 'pii:read']);
      await expectRefused(api(), READ, [
        [LIST, 'limit', ['0', '501', '']],
        [LIST, 'cursor', ['garbage', '', '%00']],
        [LIST, 'position', ['x', '1']],
        [LIST, 'q', ['a']],
        [LIST, 'state', ['waiting', 'Open', '']],
      ]);
    });

    it('waits for a position', async () => {
      await give('junk');
      expect((await listOf(api(), `${LIST}?position=0`, READ)).data).to.have.length(1);
      api().readModels.hold();
      await give('more junk');
      expect((await refusalOf(api(), `${LIST}?position=1`, READ)).is).to.equal('503 behind');
      expect((await listOf(api(), LIST, READ)).data).to.have.length(1);
    });
  });

  describe('the signed bytes', () => {
    it('come back unchanged with their signature', async () => {
      const text = '{"eventType": "onramp",\n "orderId": "a"}';
      const response = await api().ask(`${LIST}/${await give(text)}/body`, BYTES);
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
        await expectScopes(api(), `${LIST}/${id}/body`, [READ, 'pii:read', 'admin', WRITE]);
      }
      for (const id of [UNKNOWN, '%zz', eventId.toUpperCase(), 'x', '..%2Fx']) {
        expect((await refusalOf(api(), `${LIST}/${id}/body`, BYTES)).is, id).to.equal('404 not-found');
      }
      expect((await refusalOf(api(), `${LIST}/${eventId}/body?position=0`, BYTES)).is).to.equal(
        '400 invalid-parameter',
      );
    });
  });

  it('is 503 while the read models can not be asked', async () => {
    await give('junk');
    api().readModels.takeAway('gone');
    expect((await refusalOf(api(), LIST, READ)).is).to.equal('503 behind');
    expect((await refusalOf(api(), `${LIST}/${UNKNOWN}/body`, BYTES)).is).to.equal('503 behind');
    expect((await refusalOf(api(), `${LIST}/${UNKNOWN}/release`, WRITE, { method: 'POST' })).is).to.equal('503 behind');
  });
});
