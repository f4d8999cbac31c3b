import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { damagedFiles, keptFiles, removeLeftDrafts } from '../../src/composition/kept-files.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { right } from '../support/right.ts';
import { assembleLedger } from '../support/running-ledger.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FILE = Buffer.from('a bank file');

describe('kept bank files', () => {
  let folder = temporaryFolder();
  beforeEach(() => {
    folder.remove();
    folder = temporaryFolder();
  });
  after(() => folder.remove());

  it('are kept once, whole, for their owner only, and nothing else is left', async () => {
    const keep = keptFiles(folder.path);
    const id = sha256(FILE);
    right(await keep(id, FILE)());
    const statements = join(folder.path, 'statements');
    const { ino } = statSync(join(statements, id));
    right(await keep(id, FILE)());
    expect(statSync(join(statements, id)).ino).to.equal(ino);
    expect(readdirSync(statements)).to.deep.equal([id]);
    expect(readFileSync(join(statements, id)).equals(FILE)).to.equal(true);
    expect(statSync(statements).mode & 0o777).to.equal(0o700);
    expect(statSync(join(statements, id)).mode & 0o777).to.equal(0o600);
  });

  it('that are damaged are made whole by the same file', async () => {
    const [keep, id] = [keptFiles(folder.path), sha256(FILE)];
    right(await keep(id, FILE)());
    const path = join(folder.path, 'statements', id);
    for (const damaged of ['', 'a bank', 'a bank fill']) {
      writeFileSync(path, damaged);
      right(await keep(id, FILE)());
      expect(readFileSync(path).equals(FILE), damaged).to.equal(true);
    }
  });

  it('that are not what their name is the digest of are named, those that are gone or have another name are not', async () => {
    expect(await damagedFiles(folder.path)).to.deep.equal([]);
    const [keep, ids] = [keptFiles(folder.path), ['a', 'b', 'c', 'd'].map((text) => sha256(text))];
    for (const text of ['a', 'b', 'c', 'd']) right(await keep(sha256(text), Buffer.from(text))());
    const [altered = '', gone = '', unreadable = ''] = ids;
    const statements = join(folder.path, 'statements');
    writeFileSync(join(statements, altered), 'a ');
    rmSync(join(statements, gone));
    rmSync(join(statements, unreadable));
    mkdirSync(join(statements, unreadable));
    writeFileSync(join(statements, 'notes.txt'), 'mine');
    const damaged = await damagedFiles(folder.path);
    expect(damaged.map(({ stream, problem }) => [stream, problem])).to.deep.equal(
      [altered, unreadable].toSorted().map((id) => [`statement-${id}`, 'bank-file-damaged']),
    );
    expect(damaged.map(({ detail }) => detail).join('\n'))
      .to.include(`statements/${altered}: its bytes are not those`)
      .and.to.include(`statements/${unreadable}: it can't be read: EISDIR; put it back`);
  });

  it('are written while others have their turn', async () => {
    let turns = 0;
    setImmediate(() => (turns += 1));
    right(await keptFiles(folder.path)(sha256(FILE), FILE)());
    expect(turns).to.equal(1);
  });

  it('lose the drafts that killed processes have left, and nothing else', async () => {
    expect(right(await removeLeftDrafts(folder.path))).to.equal(0);
    const [keep, id] = [keptFiles(folder.path), sha256(FILE)];
    right(await keep(id, FILE)());
    const statements = join(folder.path, 'statements');
    for (const name of [`${id}.17.draft`, `${id}.0123456789abcdef.draft`])
      writeFileSync(join(statements, name), 'a ban');
    expect(right(await removeLeftDrafts(folder.path))).to.equal(2);
    expect(readdirSync(statements)).to.deep.equal([id]);
  });

  it('lose left drafts when a ledger starts', async () => {
    const statements = join(folder.path, 'statements');
    mkdirSync(statements);
    writeFileSync(join(statements, `${sha256(FILE)}.17.draft`), 'a ban');
    const ledger = await assembleLedger({ env: { DATA_DIR: folder.path } });
    await ledger.close();
    expect(readdirSync(statements)).to.deep.equal([]);
  });

  it('are kept though a ledger that starts takes their drafts away meanwhile', async () => {
    const statements = join(folder.path, 'statements');
    mkdirSync(statements);
    const [keep, id] = [keptFiles(folder.path), sha256(FILE)];
    const names = (): readonly string[] => readdirSync(statements);
    let taken = 0;
    const keeping = { isOver: false };
    const kept = keep(id, FILE)().finally(() => {
      keeping.isOver = true;
    });
    while (!keeping.isOver) {
      const isDraft = taken < 2 && names().some((name) => name.endsWith('.draft'));
      if (isDraft) taken += right(await removeLeftDrafts(folder.path));
      await new Promise(setImmediate);
    }
    right(await kept);
    expect(taken).to.be.greaterThan(0);
    expect(names()).to.deep.equal([id]);
    expect(readFileSync(join(statements, id)).equals(FILE)).to.equal(true);
  });

  it('that can not be kept are a failure', async () => {
    writeFileSync(join(folder.path, 'statements'), '');
    const kept = await keptFiles(folder.path)(sha256(FILE), FILE)();
    expect(kept).to.have.nested.property('left._tag', 'FileFailed');
  });
});
