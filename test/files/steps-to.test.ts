import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { stepsTo } from '../../src/files/steps-to.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('the steps to a path', () => {
  const folder = temporaryFolder();
  const at = realpathSync(folder.path);
  after(() => folder.remove());

  const below = (path: string): readonly string[] =>
    stepsTo(path)
      .filter((step) => step.folder.startsWith(at))
      .map((step) => step.entry.slice(at.length + 1));

  it('begin at the root, and go through what is not there', () => {
    expect(stepsTo('/no/such')).to.deep.equal([
      { folder: '/', entry: '/no' },
      { folder: '/no', entry: '/no/such' },
    ]);
  });

  it('go through every link between, relative or not, and over folders above where they lead', () => {
    for (const name of ['one', 'two', 'three/deep']) mkdirSync(join(at, name), { recursive: true });
    symlinkSync('../two/b', join(at, 'one', 'a'));
    symlinkSync(join(at, 'three', 'deep'), join(at, 'two', 'b'));
    symlinkSync('deep/../c', join(at, 'three', 'd'));
    expect(below(join(at, 'one', 'a', 'data'))).to.deep.equal([
      'one',
      'one/a',
      'two',
      'two/b',
      'three',
      'three/deep',
      'three/deep/data',
    ]);
    expect(below(join(at, 'three', 'd'))).to.deep.equal(['three', 'three/d', 'three/deep', 'three/c']);
  });

  it('end where links lead round in a ring', () => {
    symlinkSync('y', join(at, 'x'));
    symlinkSync('x', join(at, 'y'));
    expect(below(join(at, 'x', 'data')).at(-1)).to.match(/^[xy]\/data$/);
  });
});
