import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { orderStream } from '../../src/domain/ids.ts';
import { positionAt } from '../../src/domain/position.ts';
import { MetDamage } from '../../src/event-store/sqlite/met-damage.ts';
import { openServing, type SqliteEventStore } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import type { LedgerLocation } from '../../src/threads/ledger-location.ts';
import { localLog } from '../../src/threads/local-log.ts';
import { openStoreBeside } from '../../src/threads/open-store-beside.ts';
import { isRebuildWorkerOptions } from '../../src/threads/rebuild-message.ts';
import { right } from '../support/right.ts';
import { middlePage, spoilPage } from '../support/spoiled-page.ts';
import { anOrderId, someEvents } from '../support/stored-events.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const EVENTS = 200;

const stream = orderStream(anOrderId());

describe('a damaged page of the events', () => {
  const folder = temporaryFolder();
  const file = join(folder.path, 'events.db');
  const head = positionAt(EVENTS);
  const here = (met: MetDamage): LedgerLocation & { readonly kind: 'sqlite' } => ({
    kind: 'sqlite',
    dataDir: folder.path,
    file,
    damage: met.shared,
  });
  let serving: SqliteEventStore;
  const met = new MetDamage();

  before(async () => {
    const filling = right(await openServing(here(new MetDamage())));
    right(await filling.append(stream, 'none', someEvents(EVENTS))());
    await filling.close();
    serving = right(await openServing(here(met)));
    spoilPage(file, middlePage(file));
  });
  after(async () => {
    await serving.close();
    folder.remove();
  });

  const isWhole = async (store: Pick<SqliteEventStore, 'readStream'>): Promise<boolean> =>
    E.isRight(await store.readStream(stream)());

  it('is marked by the store that serves, once it is read, and not by what it has at hand', async () => {
    expect(right(await serving.head()())).to.equal(head);
    expect(met.isMet()).to.equal(false);
    expect(await isWhole(serving)).to.equal(false);
    expect(met.isMet()).to.equal(true);
  });

  it('is marked by a thread that opened the store, and by those of a build', async () => {
    const byThread = new MetDamage();
    const store = right(await openStoreBeside(here(byThread)));
    expect(await isWhole(store)).to.equal(false);
    expect(byThread.isMet()).to.equal(true);

    const byBuild = new MetDamage();
    const local = right(await localLog(store, here(byBuild), 'replay', head, () => undefined));
    expect(isRebuildWorkerOptions({ location: local.location, timeZone: 'UTC', upTo: head, priority: 0 })).to.equal(
      true,
    );
    const build = right(await openStoreBeside({ ...local.location, kind: 'sqlite' }));
    expect(await isWhole(build)).to.equal(false);
    expect(byBuild.isMet()).to.equal(true);
    await Promise.all([build.close(), local.close(), store.close()]);
  });
});
