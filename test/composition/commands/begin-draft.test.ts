import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { beginDraft } from '../../../src/composition/commands/begin-draft.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const LEFT = 'out.csv.0123456789abcdef.part';
const DAYS_AGO = new Date(Date.now() - 2 * 86_400_000);

describe('a draft of a file', () => {
  let folder = temporaryFolder();
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  const place = (name: string): string => join(folder.path, name);
  const there = (...names: readonly string[]): void => {
    for (const name of names) writeFileSync(place(name), 'begun');
  };
  const names = (): readonly string[] => readdirSync(folder.path).toSorted();

  it('removes those of the same file that no process has any more, with all that belongs to them', () => {
    there(LEFT, `${LEFT}-journal`, `${LEFT}-wal`, `${LEFT}.manifest.json`);
    writeFileSync(place(`${LEFT}.lock`), '');
    beginDraft(place('out.csv')).end();
    expect(names()).to.deep.equal([]);
  });

  it('leaves one that is being written, and removes its own alone', () => {
    const first = beginDraft(place('out.csv'));
    writeFileSync(first.file, 'begun');
    const second = beginDraft(place('out.csv'));
    writeFileSync(second.file, 'begun');
    second.end();
    expect(names()).to.include(first.file.slice(folder.path.length + 1));
    expect(names()).to.not.include(second.file.slice(folder.path.length + 1));
    first.end();
    expect(names()).to.deep.equal([]);
  });

  it('leaves what is without a lock until nobody has written to it for a day', () => {
    const earlier = 'out.csv.2808f122-fa47-4497-87a3-a177bee35255.part';
    there(LEFT, earlier);
    utimesSync(place(earlier), DAYS_AGO, DAYS_AGO);
    beginDraft(place('out.csv')).end();
    expect(names()).to.deep.equal([LEFT]);
  });

  it('leaves whatever else is there', () => {
    const others = ['out.csv', 'out.csv.manifest.json', 'out.csv.part', 'out.csv.old.part', `my-${LEFT}`, `${LEFT}ial`];
    there(...others);
    for (const name of others) utimesSync(place(name), DAYS_AGO, DAYS_AGO);
    mkdirSync(place('out.csv.fedcba9876543210.part'));
    beginDraft(place('out.csv')).end();
    expect(names()).to.deep.equal([...others, 'out.csv.fedcba9876543210.part'].toSorted());
  });

  it('is begun where its folder is not there too: whoever writes it says so', () => {
    expect(() => beginDraft(place('none/out.csv')).end()).to.not.throw();
  });
});
