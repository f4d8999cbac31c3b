import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Position } from '../../../src/domain/ids.ts';
import {
  openEventStoreDb,
  openEventStoreDbServing,
} from '../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import { startEventStoreDb, type EventStoreDbDouble } from '../../support/eventstoredb/event-store-db-double.ts';
import { right } from '../../support/right.ts';
import { anEvent } from '../../support/stored-events.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { append, aStream, proposed } from './store-scene.ts';

/** More than are looked at one by one, from the end. */
const OTHERS = 50_100;

describe('where the events of a ledger end in a log that others write to', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let double: EventStoreDbDouble;
  let last: Position;
  beforeEach(async () => {
    folder = temporaryFolder();
    double = await startEventStoreDb();
    const store = command();
    ({ position: last } = await append(store, aStream(), 'none', anEvent()));
    await store.close();
    others(OTHERS);
  });
  afterEach(async () => {
    await double.close();
    folder.remove();
  });

  const place = () => ({ url: double.url, streamPrefix: 'own-', dataDir: folder.path });
  const command = () => right(openEventStoreDb(place()));
  const others = (count: number): void => {
    double.log.write(
      'others-1',
      Array.from({ length: count }, () => proposed()),
    );
  };
  /** The head, and how many events the server has sent for it. */
  const headAsked = async (): Promise<{ readonly head: Position | null; readonly sent: number }> => {
    const before = double.sentEvents();
    const store = command();
    const head = right(await store.head()());
    await store.close();
    return { head, sent: double.sentEvents() - before };
  };

  it('is looked for once, and then from there on', async () => {
    const first = await headAsked();
    expect(first.head).to.equal(last);
    expect(first.sent).to.be.above(OTHERS - 1_000);
    others(1_000);
    const second = await headAsked();
    expect(second.head).to.equal(last);
    expect(second.sent).to.be.below(1_000);
    const store = command();
    const { position } = await append(store, aStream(), 'none', anEvent());
    await store.close();
    others(1_000);
    expect(await headAsked()).to.include({ head: position });
  });

  it('is looked for anew where the hint is of another log, or can not be read', async () => {
    expect((await headAsked()).head).to.equal(last);
    const file = join(folder.path, 'event-store-head.json');
    const hint = readFileSync(file, 'utf8');
    for (const spoiled of [
      hint.replace(/"id":"[^"]*"/, '"id":"of another log"'),
      hint.replaceAll(/"position":"\d+"/g, '"position":"7"'),
      hint.replace('own-', 'other-'),
      hint.slice(1),
      '{}',
    ]) {
      writeFileSync(file, spoiled);
      expect((await headAsked()).head, spoiled).to.equal(last);
    }
  });

  it('does not hold up a start: appends are taken at once, and the head is found beside them', async () => {
    const before = double.sentEvents();
    const serving = right(
      await openEventStoreDbServing(place(), { onEvents: () => undefined, onState: () => undefined }),
    );
    const { position } = await append(serving, aStream(), 'none', anEvent());
    expect(double.sentEvents() - before, 'what it was sent').to.be.below(2_000);
    expect(right(await serving.head()())).to.equal(position);
    await serving.close();
  });
});
