import { expect } from 'chai';
import { bySameFolders } from '../../../src/composition/commands/same-folders.ts';

describe('a file in a folder that has several paths', () => {
  // `/mnt` has all of `/srv`, and `/spare` the tree alone.
  const identity = (folder: string): string | null =>
    folder.startsWith('/spare')
      ? `/srv/data/log-tree${folder.slice('/spare'.length)}`
      : folder.replace(/^\/mnt(?=\/|$)/, '/srv').toLowerCase();
  const of = (file: string): readonly string[] => bySameFolders(file, ['/srv/data', '/srv/data/log-tree'], identity);

  it('is found by those that are known, whichever folder above it is the one that was mounted', () => {
    expect(of('/mnt/data/events.db')).to.deep.equal(['/srv/data/events.db']);
    expect(of('/mnt/data/statements/a')).to.deep.equal(['/srv/data/statements/a']);
    expect(of('/spare/hashes-0')).to.deep.equal(['/srv/data/log-tree/hashes-0']);
  });

  it('is found where letters are the same in either case', () => {
    expect(of('/SRV/Data/EVENTS.DB')).to.deep.equal(['/srv/data/EVENTS.DB']);
  });

  it('has no other path where it is in none of them, or is named by the one that is known', () => {
    expect(of('/srv/data/events.db')).to.deep.equal([]);
    expect(of('/mnt/other/events.db')).to.deep.equal([]);
    expect(of('/events.db')).to.deep.equal([]);
  });
});
