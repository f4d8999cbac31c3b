import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { orderStream } from '../../../src/domain/ids.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import type { StoreUnavailable } from '../../../src/event-store/event-store.ts';
import { copyLog, removeLeftCopy } from '../../../src/event-store/sqlite/log-copy.ts';
import { openBeside } from '../../../src/event-store/sqlite/sqlite-event-store.ts';
import { inMemoryEventStore } from '../../support/in-memory-event-store.ts';
import { right } from '../../support/right.ts';
import { anEvent, anOrderId, someEvents } from '../../support/stored-events.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SILENT = (): void => undefined;
const LOCK = ['copy.db.lock'];

describe('a copy of a log', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let file: string;
  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder.path, 'made', 'copy.db');
  });
  afterEach(() => folder.remove());

  const filled = async (streams: number): Promise<ReturnType<typeof inMemoryEventStore>> => {
    const store = inMemoryEventStore(() => instantOf(1_700_000_000_000));
    for (let i = 0; i < streams; i += 1) {
      const first = anEvent({ rawBody: Buffer.from([i % 256]) });
      right(await store.append(orderStream(anOrderId()), 'none', [first, ...someEvents(2)])());
    }
    return store;
  };

  it('holds the same events at the same positions, for its owner alone, and goes when it is removed', async () => {
    const store = await filled(1_500);
    const upTo = right(await store.head()()) ?? expect.fail('the log is empty');
    const told: number[] = [];
    const copy = right(await copyLog(store, file, upTo, (share) => told.push(share)));
    const copied = right(openBeside({ file, dataDir: folder.path }));
    const events = [];
    for await (const event of copied.readAll(null)) events.push(right(event));
    // The first position of the store in memory is 0, which no other store gives: nothing is read from before it.
    expect(events).to.deep.equal(store.recorded().slice(1));
    expect(right(await copied.readStream(store.recorded()[0]?.stream ?? expect.fail('no event'))())).to.have.length(3);
    expect(told.at(-1)).to.equal(1);
    expect(told.length).to.be.greaterThan(2);
    expect((statSync(file).mode & 0o777).toString(8)).to.equal('600');
    await copied.close();
    copy.remove();
    expect(readdirSync(join(folder.path, 'made'))).to.deep.equal(LOCK);
  });

  it('ends at the position that was asked for, however far the log has come', async () => {
    const store = await filled(10);
    const upTo = store.recorded()[14]?.position ?? expect.fail('no event');
    const copy = right(await copyLog(store, file, upTo, SILENT));
    const copied = right(openBeside({ file, dataDir: folder.path }));
    expect(right(await copied.head()())).to.equal(upTo);
    await copied.close();
    copy.remove();
  });

  it('takes the place of one that a killed run has left', async () => {
    const store = await filled(2);
    const upTo = right(await store.head()()) ?? expect.fail('the log is empty');
    right(await copyLog(store, file, upTo, SILENT)).remove();
    writeFileSync(file, 'left behind');
    right(await copyLog(store, file, upTo, SILENT)).remove();
  });

  it('is refused while another is made, which is not disturbed', async () => {
    const store = await filled(2);
    const upTo = right(await store.head()()) ?? expect.fail('the log is empty');
    const first = right(await copyLog(store, file, upTo, SILENT));
    const second = await copyLog(store, file, upTo, SILENT);
    expect(E.isLeft(second) ? second.left._tag : 'made').to.equal('StoreUnavailable');
    expect(existsSync(file)).to.equal(true);
    first.remove();
  });

  it('is removed where a killed run has left it, and never while it is in use', async () => {
    const store = await filled(2);
    const upTo = right(await store.head()()) ?? expect.fail('the log is empty');
    removeLeftCopy(file);
    expect(existsSync(folder.path) && readdirSync(folder.path)).to.deep.equal([]);
    const copy = right(await copyLog(store, file, upTo, SILENT));
    removeLeftCopy(file);
    const copied = right(openBeside({ file, dataDir: folder.path }));
    expect(right(await copied.head()())).to.equal(upTo);
    await copied.close();
    copy.remove();
    writeFileSync(file, 'left behind');
    removeLeftCopy(file);
    expect(readdirSync(join(folder.path, 'made'))).to.deep.equal(LOCK);
  });

  it('holds few large events at a time', async () => {
    const store = inMemoryEventStore(() => instantOf(1_700_000_000_000));
    const rawBody = Buffer.alloc(1_000_000);
    for (let i = 0; i < 40; i += 1)
      right(await store.append(orderStream(anOrderId()), 'none', [anEvent({ rawBody })])());
    const upTo = right(await store.head()()) ?? expect.fail('the log is empty');
    const told: number[] = [];
    right(await copyLog(store, file, upTo, (_, events) => told.push(events))).remove();
    const steps = told.map((events, i) => events - (told[i - 1] ?? 0));
    expect(Math.max(...steps)).to.be.below(10);
  });

  it('leaves nothing where the store goes away or it is given up', async () => {
    const store = await filled(1_500);
    const upTo = right(await store.head()()) ?? expect.fail('the log is empty');
    const givenUp = new AbortController();
    const stopped = await copyLog(store, file, upTo, () => givenUp.abort(), givenUp.signal);
    expect(E.isLeft(stopped) ? stopped.left.detail : 'made').to.match(/stopped/);
    const away: StoreUnavailable = { _tag: 'StoreUnavailable', detail: 'away' };
    const cut = {
      readAll: async function* () {
        let given = 0;
        for await (const event of store.readAll(null)) {
          yield given < 2_500 ? event : E.left(away);
          given += 1;
        }
      },
    };
    const failed = await copyLog(cut, file, upTo, SILENT);
    expect(E.isLeft(failed) ? failed.left : 'made').to.deep.equal(away);
    expect(readdirSync(join(folder.path, 'made'))).to.deep.equal(LOCK);
  });
});
