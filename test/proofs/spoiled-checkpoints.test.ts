import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { logVerifiers } from '../../src/proofs/checkpoint.ts';
import { noteNameBegun } from '../../src/proofs/files/begun-here.ts';
import { checkpointsFile, readCheckpoints } from '../../src/proofs/files/kept-checkpoints.ts';
import { checkNote, parseNote } from '../../src/proofs/signed-note.ts';
import { withoutSpoiled } from '../../src/proofs/spoiled-checkpoints.ts';
import { eventsOf, IDENTITY, KeeperScene } from './keeper-scene.ts';

const KEYS = logVerifiers(IDENTITY);

describe('a kept checkpoint that was changed on the disk', () => {
  let scene: KeeperScene;
  beforeEach(async () => {
    scene = new KeeperScene(false);
    noteNameBegun(scene.path, IDENTITY.origin);
    scene.log = [...eventsOf(2)];
    await scene.keptUp();
    scene.log = [...eventsOf(3)];
    await scene.keptUp();
  });
  afterEach(() => scene.remove());

  /** Changes the last text of such a form in the file, to one that has the same form. */
  const change = (form: RegExp): void => {
    const file = checkpointsFile(scene.path, IDENTITY.origin);
    const text = readFileSync(file, 'utf8');
    const found = [...text.matchAll(form)].at(-1) ?? expect.fail('it is not there');
    const at = found.index + found[0].length;
    writeFileSync(file, `${text.slice(0, at)}${text.charAt(at) === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`);
  };
  const told = () => withoutSpoiled(readCheckpoints(scene.path, IDENTITY.origin), KEYS);

  it('is told, and the log is held to the others alone', () => {
    expect(told().failures).to.deep.equal([]);
    expect(told().whole.map(({ size }) => size)).to.deep.equal([2, 3]);
    for (const form of [/— log\.example\/1 \S{20}/g, /log\.example\/1\\n3\\n\S{20}/g]) {
      change(form);
      const { whole, failures } = told();
      expect(whole.map(({ size }) => size)).to.deep.equal([2]);
      expect(failures.map(({ problem }) => problem)).to.deep.equal(['checkpoint-not-of-this-log']);
      expect(failures[0]?.detail).to.match(/^1 kept checkpoint can't be what was signed, the first of 3 events and /);
    }
  });

  it('is taken where no key of it is known: that one may be missing', () => {
    change(/— log\.example\/1 \S{20}/g);
    const { whole, failures } = withoutSpoiled(readCheckpoints(scene.path, IDENTITY.origin), []);
    expect([whole.length, failures]).to.deep.equal([2, []]);
  });

  it('is signed again by the next start where its signature alone was changed', async () => {
    change(/— log\.example\/1 \S{20}/g);
    await scene.keptUp();
    const note = parseNote(scene.kept().at(-1)?.note ?? '') ?? expect.fail('it is no note');
    expect(note.signatures).to.have.length(1);
    expect(E.isRight(checkNote(note, KEYS[0]))).to.equal(true);
  });
});
