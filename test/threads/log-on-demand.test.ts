import { expect } from 'chai';
import { openServing } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { LogOnDemand } from '../../src/threads/log-on-demand.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('the log of a thread that rarely needs it', () => {
  it('stays open, and what was found of moments is let go of where it may be another one', async () => {
    const folder = temporaryFolder();
    const location = { dataDir: folder.path, file: `${folder.path}/events.db` };
    await right(await openServing(location)).close();
    const log = new LogOnDemand({ kind: 'sqlite', ...location });
    const first = await log.opened();
    expect((await log.opened()).past).to.equal(first.past);
    log.forget();
    const next = await log.opened();
    expect(next.store).to.equal(first.store);
    expect(next.past).not.to.equal(first.past);
    await log.close();
    folder.remove();
  });
});
