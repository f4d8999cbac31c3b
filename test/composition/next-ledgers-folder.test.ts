import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { keepArrivals } from '../../src/arrivals/arrivals-file.ts';
import { importTurns } from '../../src/composition/import-turns.ts';
import { takeMonthsOf } from '../../src/composition/take-months.ts';
import { EndedSessions } from '../../src/console/ended-sessions.ts';
import { StagedFiles } from '../../src/console/upload/staged-files.ts';
import { HeadHintFile } from '../../src/event-store/eventstoredb/head-hint.ts';
import { Generations } from '../../src/read-models/sqlite/generations.ts';
import { positionAt } from '../../src/domain/position.ts';
import { READER } from '../console/readers.ts';
import { right } from '../support/right.ts';
import { routeDoubles } from '../support/route-dependencies.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LOST = 'ledger.lock was removed or exchanged while it was held';
const lost = (): string => LOST;
const REFUSED = { _tag: 'StoreUnavailable', detail: LOST };

describe('a folder that may be the next ledger’s', () => {
  const folder = temporaryFolder();
  after(folder.remove);
  const inFolder = (name: string): string => join(folder.path, name);
  afterEach(() => expect(readdirSync(folder.path)).to.deep.equal([]));

  it('gets no counts of arrivals', () => {
    const { arrivals, close } = keepArrivals(
      inFolder('arrivals.json'),
      () => 0,
      (problem) => expect.fail(problem),
      () => false,
    );
    arrivals.count('recorded', 0);
    close();
  });

  it('gets no bank file, and nobody has a turn to import or the months in it', async () => {
    const turn = await importTurns(folder.path, routeDoubles().store, undefined, lost)();
    expect(turn).to.deep.equal(E.left(REFUSED));
    expect(takeMonthsOf(folder.path, lost)()).to.deep.equal(E.left(REFUSED));
    expect(() => new StagedFiles(inFolder('uploads'), () => 0, lost).folder()).to.throw(LOST);
  });

  it('is told of no session that ended, which ends here all the same', async () => {
    const ended = new EndedSessions(inFolder('ended-sessions'), 0, lost);
    const session = { key: READER, nonce: 'nonce-of-22-signs-here', expiresAt: 60 };
    const failure: unknown = await ended.end(session, 0).catch((error: unknown) => error);
    expect(String(failure)).to.include(LOST);
    expect(ended.has(session)).to.equal(true);
  });

  it('gets no hint of where a log on EventStoreDB ends', () => {
    const lock = { path: inFolder('ledger.lock'), inode: 1n };
    const passed = { position: positionAt(1), id: 'one' };
    new HeadHintFile({ dataDir: folder.path, streamPrefix: '', lock }).keep({ last: null, passed });
  });

  it('gets no read models, neither as they are opened nor where they were removed from it', () => {
    const file = inFolder('read-models.db');
    expect(Generations.open(file, lost)).to.deep.equal(E.left({ _tag: 'GenerationsMisplaced', detail: LOST }));
    const before = temporaryFolder();
    let isLost = false;
    const generations = right(Generations.open(join(before.path, 'read-models.db'), () => (isLost ? LOST : null)));
    isLost = true;
    expect(() => generations.lockBuild()).to.throw(LOST);
    before.remove();
    for (const asked of [() => generations.serving(), () => generations.serveNone(), () => generations.removeOthers()])
      expect(asked).to.throw(LOST);
    generations.close();
  });
});
