import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { isReadOnly, whyUnwritten } from '../../src/event-store/why-unwritten.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('why a file could not be written to', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('is not known where one beside it can be, of which nothing stays', () => {
    const file = join(folder.path, 'events.db-wal');
    writeFileSync(file, 'x'.repeat(5_000));
    expect(whyUnwritten(file)).to.equal('unknown');
    expect(readdirSync(folder.path)).to.deep.equal(['events.db-wal']);
  });

  it('is not known where none can be made beside it for another reason', () => {
    expect(whyUnwritten(join(folder.path, 'nowhere', 'events.db-wal'))).to.equal('unknown');
  });

  it('is no file system that is read-only where it can be opened, or is not there', () => {
    const file = join(folder.path, 'events.db-wal');
    expect(isReadOnly(file)).to.equal(false);
    writeFileSync(file, '');
    expect(isReadOnly(file)).to.equal(false);
  });
});
