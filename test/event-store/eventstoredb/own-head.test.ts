import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Position } from '../../../src/domain/ids.ts';
import { positionAt } from '../../../src/domain/position.ts';
import { connect } from '../../../src/event-store/eventstoredb/connection.ts';
import { openEventStoreDbServing } from '../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import { HeadHintFile } from '../../../src/event-store/eventstoredb/head-hint.ts';
import { LogFollower } from '../../../src/event-store/eventstoredb/log-follower.ts';
import { LogReader } from '../../../src/event-store/eventstoredb/log-reader.ts';
import { OwnHead } from '../../../src/event-store/eventstoredb/own-head.ts';
import { StreamNames } from '../../../src/event-store/eventstoredb/stream-names.ts';
import { startEventStoreDb, type EventStoreDbDouble } from '../../support/eventstoredb/event-store-db-double.ts';
import { right } from '../../support/right.ts';
import { anEvent } from '../../support/stored-events.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { append, aStream, proposed } from './store-scene.ts';

const PREFIX = 'own-';
const LOOKS = { few: 10, many: 100 };
/** More than are looked at one by one, from the end. */
const OTHERS = 2_000;

describe('where the events of a ledger end in a log that others write to', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let double: EventStoreDbDouble;
  let last: Position;
  const closing: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    folder = temporaryFolder();
    double = await startEventStoreDb();
    last = writeOwn();
    writeOthers(OTHERS);
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    await double.close();
    folder.remove();
  });

  const writeOwn = (): Position => {
    const [written] = double.log.write(`${PREFIX}${aStream()}`, [proposed()]);
    return positionAt(Number(written?.position));
  };
  const writeOthers = (count: number): void => {
    double.log.write(
      'others-1',
      Array.from({ length: count }, () => proposed()),
    );
  };
  const headOf = (prefix: string): OwnHead => {
    const connection = right(connect(double.url));
    closing.push(connection.close);
    const names = new StreamNames(prefix);
    const reader = new LogReader(connection, names, 3_000);
    return new OwnHead(
      reader,
      new LogFollower(connection, names, 3_000),
      new HeadHintFile({ dataDir: folder.path, streamPrefix: prefix }),
      LOOKS,
    );
  };
  /** What is found, and how many events the server has sent for it. */
  const asked = async (prefix = PREFIX): Promise<{ readonly head: Position | null; readonly sent: number }> => {
    const before = double.sentEvents();
    const head = right(await headOf(prefix).find());
    return { head, sent: double.sentEvents() - before };
  };

  it('is found near the end, far from it, and behind what the server is asked to pass; or there is none', async () => {
    expect((await asked()).head).to.equal(last);
    expect((await asked('nobody-')).head).to.equal(null);
    for (const others of [0, 5, 50]) {
      const own = writeOwn();
      writeOthers(others);
      expect((await asked()).head).to.equal(own);
    }
  });

  it('is looked for once, and then from there on', async () => {
    expect((await asked()).sent).to.be.above(LOOKS.many);
    writeOthers(OTHERS);
    const again = await asked();
    expect(again.head).to.equal(last);
    // A page from the end, and the two events of the hint; the server passes over the others.
    expect(again.sent).to.be.at.most(LOOKS.few + 2);
    const own = writeOwn();
    writeOthers(OTHERS);
    expect(await asked()).to.include({ head: own });
  });

  it('is looked for anew where the hint is of another log, or can not be read', async () => {
    expect((await asked()).head).to.equal(last);
    const file = join(folder.path, 'event-store-head.json');
    const hint = readFileSync(file, 'utf8');
    for (const spoiled of [
      hint.replace(/"id":"[^"]*"/, '"id":"of another log"'),
      hint.replaceAll(/"position":"\d+"/g, '"position":"7"'),
      hint.replace(PREFIX, 'other-'),
      hint.slice(1),
      '{}',
    ]) {
      writeFileSync(file, spoiled);
      expect((await asked()).head, spoiled).to.equal(last);
    }
  });

  it('does not hold up a start: appends are taken at once, and the head is known with the first', async () => {
    const location = { url: double.url, streamPrefix: PREFIX, dataDir: folder.path };
    const store = right(
      await openEventStoreDbServing(location, { onEvents: () => undefined, onState: () => undefined }),
    );
    closing.push(store.close);
    const { position } = await append(store, aStream(), 'none', anEvent());
    expect(right(await store.head()())).to.equal(position);
  });
});
