import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { noProofLog } from '../../src/proofs/no-proof-log.ts';
import { bodyOf, onRamp } from '../support/payloads.ts';
import { NOW } from '../support/route-dependencies.ts';
import { deliver as taken } from '../support/quarantine-scene.ts';
import { serveApi } from '../support/serve-api.ts';
import { DECISION, EXPLAINED, NOBODY, type DocumentScene } from './document-scene.ts';

/** While the log is not signed, or the event store or the read models are away. */
export const answersWhileAway = ({ asker, keyed }: DocumentScene): void => {
  it('while the log is not signed, or its history is lost, is as documented', async () => {
    const api = await serveApi();
    await taken(api.store, bodyOf(onRamp({ orderId: 'a' })));
    const lost = TE.left({ _tag: 'HistoryLost' as const, detail: 'gone' });
    const without = await serveApi({
      store: api.store,
      readModels: api.readModels,
      proofs: { ...noProofLog, newest: () => lost, including: () => lost },
    });
    for (const served of [api, without]) {
      for (const [id, { path, whole, scopes }] of keyed()) {
        if (!/^\/v1\/(log|proofs)/.test(path)) continue;
        expect((await asker(served)('GET', whole, scopes)).status, id).to.equal(503);
      }
      await asker(served)('GET', '/v1/log/key', null);
      await asker(served)('GET', '/v1/orders/a/evidence', 'audit:read+pii:read');
    }
    api.store.takeAway('away');
    await asker(api)('GET', '/v1/proofs/inclusion?orderId=a&revision=0', 'audit:read');
    const signed = { note: '', size: 1, position: null, signedAt: NOW };
    const awayBehind = await serveApi({
      store: api.store,
      proofs: { ...noProofLog, newest: () => TE.right(signed), positions: () => TE.right([]) },
    });
    await asker(awayBehind)('GET', '/v1/log/tile/entries/000.p%2F1', 'audit:read');
    await awayBehind.close();
    await without.close();
    await api.close();
  });

  it('while the event store or the read models are away is as documented', async () => {
    const away = TE.left({ _tag: 'StoreUnavailable' as const, detail: 'away' });
    const api = await serveApi();
    api.store.takeAway('away');
    const none = await serveApi({ store: { ...api.store, parsePosition: () => away } });
    none.readModels.hold();
    const lists = keyed().filter(([id]) =>
      /^(list(Orders|AuditEntries|Quarantine|Statement.*|Transfers|ReconciliationItems)|get(.*Report(Workbook)?|Reconciliation)|export.*)$/.test(
        id,
      ),
    );
    expect(lists).to.have.length(19);
    for (const [id, { path, scopes }] of lists) {
      expect((await asker(none)('GET', `${path}?position=1`, scopes)).status, id).to.equal(503);
    }
    const ask = asker(api);
    await ask('GET', '/v1/events/live', 'orders:read');
    await ask('GET', '/readyz', null);
    await ask('GET', '/v1/orders/a', 'orders:read');
    await ask('GET', '/v1/orders/a/events', 'orders:read');
    await ask('GET', '/v1/orders/a/events/0/body', 'audit:read+pii:read');
    await ask('GET', '/v1/orders/a/audit', 'audit:read');
    await ask('GET', '/v1/orders/a/evidence', 'audit:read+pii:read');
    await ask('GET', `/v1/quarantine/${NOBODY}/body`, 'audit:read+pii:read');
    await ask('POST', `/v1/quarantine/${NOBODY}/release`, 'quarantine:write');
    for (const method of ['POST', 'DELETE']) await ask(method, DECISION, 'statements:write', EXPLAINED(method));
    const written = keyed().filter(([id]) => /^(importStatement|importTransfers|setStatementProfile)$/.test(id));
    for (const [, { path, scopes, init }] of written) await ask('POST', path, scopes, init);
    const empty = await serveApi();
    const refusing = await serveApi({
      store: { ...empty.store, append: () => TE.left({ _tag: 'AppendRefused' as const, detail: 'too large' }) },
    });
    for (const [, { path, scopes, init }] of written) await asker(refusing)('POST', path, scopes, init);
    await refusing.close();
    await empty.close();
    for (const files of [
      {
        open: () => TE.left({ _tag: 'FileFailed' as const, detail: 'full' }),
        openTransfers: () => TE.left({ _tag: 'FileFailed' as const, detail: 'full' }),
        keep: () => TE.right(undefined),
      },
    ]) {
      const full = await serveApi({ statementFiles: files });
      for (const [, { path, scopes, init }] of written) await asker(full)('POST', path, scopes, init);
      full.readModels.takeAway('away');
      await full.close();
      const behind = await serveApi();
      behind.readModels.takeAway('away');
      await taken(behind.store, bodyOf(onRamp({ orderId: 'b' })));
      for (const [, { path, scopes, init }] of written) await asker(behind)('POST', path, scopes, init);
      await behind.close();
    }
    api.readModels.takeAway('away');
    for (const [, { path, scopes }] of lists) await ask('GET', path, scopes);
    await ask('GET', `/v1/quarantine/${NOBODY}/body`, 'audit:read+pii:read');
    await ask('POST', `/v1/quarantine/${NOBODY}/release`, 'quarantine:write');
    for (const method of ['POST', 'DELETE']) await ask(method, DECISION, 'statements:write', EXPLAINED(method));
    await none.close();
    await api.close();
  });
};
