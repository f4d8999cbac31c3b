import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { keptFiles } from '../../src/composition/kept-files.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { right } from '../support/right.ts';
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

  it('are written while others have their turn', async () => {
    let turns = 0;
    setImmediate(() => (turns += 1));
    right(await keptFiles(folder.path)(sha256(FILE), FILE)());
    expect(turns).to.equal(1);
  });

  it('that can not be kept are a failure', async () => {
    writeFileSync(join(folder.path, 'statements'), '');
    const kept = await keptFiles(folder.path)(sha256(FILE), FILE)();
    expect(kept).to.have.nested.property('left._tag', 'FileFailed');
  });
});
