import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { ownStream } from '../../src/domain/ids.ts';
import type { CellsAnswer, ReadModels } from '../../src/read-models/read-models.ts';
import { bodyOf, onRamp } from '../support/payloads.ts';
import { deliver as taken } from '../support/quarantine-scene.ts';
import { serveApi } from '../support/serve-api.ts';
import type { DocumentScene } from './document-scene.ts';

/** About months: closed, open, damaged, and while what they are made of is away. */
export const answersAboutMonths = ({ asker }: DocumentScene): void => {
  it('about months is as documented', async () => {
    const api = await serveApi();
    const ask = asker(api);
    const [month, close, reopen] = ['/v1/periods/2023-03', '/v1/periods/2023-03/close', '/v1/periods/2023-03/reopen'];
    const body = JSON.stringify({ note: 'x', despite: ['month-over', 'clock-anomalies', 'earlier-closed'] });
    const reads = ['/v1/periods', month, `${month}/readiness`, `${month}/adjustments`, `${month}/workbook`];
    const writes = [close, reopen];
    const all = async (asked: typeof ask): Promise<void> => {
      for (const path of reads) await asked('GET', path, 'reports:read');
      for (const path of writes) await asked('POST', path, 'periods:write', { body });
    };
    await all(ask);
    await taken(api.store, bodyOf(onRamp({ status: 'completed' })));
    await taken(api.store, bodyOf(onRamp({ status: 'completed', createdAt: '2023-02-01T00:00:00Z' })));
    expect((await ask('POST', close, 'periods:write', { body: '{}' })).status).to.equal(409);
    expect((await ask('GET', `${month}/workbook`, 'reports:read')).status).to.equal(409);
    expect((await ask('POST', reopen, 'periods:write', { body })).status).to.equal(409);
    const refused = TE.left({ _tag: 'AppendRefused' as const, detail: 'too large' });
    const refusing = await serveApi({ store: { ...api.store, append: () => refused }, readModels: api.readModels });
    expect((await asker(refusing)('POST', close, 'periods:write', { body })).status).to.equal(503);
    // Noise can not be packed.
    const noise = randomBytes(1_048_576).toString('hex');
    const cells: ReadModels['cells'] = (question) =>
      TE.map((answer: CellsAnswer) => ({
        ...answer,
        cells: answer.cells.map((cell) => ({ ...cell, facet: { ...cell.facet, symbol: noise } })),
      }))(api.readModels.cells(question));
    const large = await serveApi({ store: api.store, readModels: { ...api.readModels, cells } });
    expect((await asker(large)('POST', close, 'periods:write', { body })).status).to.equal(422);
    await large.close();
    expect((await ask('POST', close, 'periods:write', { body })).status).to.equal(200);
    expect((await asker(refusing)('POST', reopen, 'periods:write', { body })).status).to.equal(503);
    expect((await ask('POST', close, 'periods:write', { body })).status).to.equal(409);
    const [first, before] = [`/v1/periods/2023-02/close`, `/v1/periods/2023-02/reopen`];
    expect((await ask('POST', first, 'periods:write', { body })).status).to.equal(200);
    expect((await ask('POST', before, 'periods:write', { body })).status).to.equal(409);
    await refusing.close();
    for (const path of writes) {
      expect((await ask('POST', path, 'periods:write', { body: 'x'.repeat(100_000) })).status).to.equal(413);
    }
    const held = await serveApi({ store: api.store });
    held.readModels.takeAway('away');
    await all(asker(held));
    await held.close();
    api.store.tamper(ownStream('period', '2023-03'), 0, { data: '{}' });
    await all(ask);
    api.store.takeAway('away');
    await all(ask);
    await api.close();
  });
};
