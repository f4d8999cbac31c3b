import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { ownStream, quarantineStream } from '../../src/domain/ids.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { offRamp } from '../support/payloads.ts';
import { deliver as taken, putAway } from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';
import { serveApi } from '../support/serve-api.ts';
import { NOBODY, type DocumentScene } from './document-scene.ts';

/** About deliveries in quarantine that are closed and opened again. */
export const answersAboutClosures = ({ asker }: DocumentScene): void => {
  it('about what is closed in quarantine is as documented', async () => {
    const api = await serveApi();
    const ask = asker(api);
    const { body } = await putAway(api.store, offRamp());
    const [event = expect.fail('nothing in quarantine')] = right(
      await api.store.readStream(quarantineStream(sha256(body)))(),
    );
    const pathOf = (deed: string, id: string): string => `/v1/quarantine/${id}/${deed}`;
    const both = async (asked: typeof ask, id: string = event.id, note = 'x'): Promise<readonly number[]> => {
      const init = { body: JSON.stringify({ note }) };
      const closed = await asked('POST', pathOf('close', id), 'quarantine:write', init);
      const reopened = await asked('POST', pathOf('reopen', id), 'quarantine:write', init);
      return [closed.status, reopened.status];
    };
    expect(await both(ask, NOBODY)).to.deep.equal([404, 404]);
    const init = { body: '{"note":"x"}' };
    expect((await ask('POST', pathOf('reopen', event.id), 'quarantine:write', init)).status).to.equal(409);
    const refused = TE.left({ _tag: 'AppendRefused' as const, detail: 'too large' });
    const refusing = await serveApi({ store: { ...api.store, append: () => refused }, readModels: api.readModels });
    expect((await asker(refusing)('POST', pathOf('close', event.id), 'quarantine:write', init)).status).to.equal(503);
    expect((await ask('POST', pathOf('close', event.id), 'quarantine:write', init)).status).to.equal(200);
    expect((await asker(refusing)('POST', pathOf('reopen', event.id), 'quarantine:write', init)).status).to.equal(503);
    await refusing.close();
    const other = { body: '{"note":"y"}' };
    expect((await ask('POST', pathOf('close', event.id), 'quarantine:write', other)).status).to.equal(409);
    const [closing = expect.fail('nothing closed')] = right(
      await api.store.readStream(ownStream('closure', sha256(body)))(),
    );
    api.store.tamper(closing.stream, 0, { data: '{}' });
    expect(await both(ask)).to.deep.equal([500, 500]);
    api.store.tamper(closing.stream, 0, { data: closing.data });
    for (const deed of ['close', 'reopen']) {
      const large = { body: JSON.stringify({ note: 'x'.repeat(100_000) }) };
      expect((await ask('POST', pathOf(deed, event.id), 'quarantine:write', large)).status).to.equal(413);
    }
    await taken(api.store, body);
    await ask('POST', `/v1/quarantine/${event.id}/release`, 'quarantine:write');
    expect(await both(ask)).to.deep.equal([409, 409]);
    const held = await serveApi({ store: api.store });
    held.readModels.takeAway('away');
    expect(await both(asker(held))).to.deep.equal([503, 503]);
    await held.close();
    api.store.takeAway('away');
    await both(ask);
    await api.close();
  });
};
