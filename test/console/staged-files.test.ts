import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mock } from 'node:test';
import { expect } from 'chai';
import { StagedFiles } from '../../src/console/upload/staged-files.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { keyOf } from './router-scene.ts';

const HOUR = 3_600_000;

const session = (nonce: string, keyId = 'reader') => ({
  key: keyOf(keyId, 'a-key-of-at-least-24-bytes-for-files', ['statements:write']),
  nonce,
  expiresAt: 0,
});

describe('files that are looked at before they are imported', () => {
  const temporary = temporaryFolder();
  const folder = join(temporary.path, 'uploads');
  after(temporary.remove);
  let nowMs = Date.UTC(2026, 2, 31);

  const stage = async (files: StagedFiles, owner: string, text: string) => {
    const written = join(files.folder(), 'a'.repeat(25));
    writeFileSync(written, text);
    await files.take(session(owner), sha256(text), { path: written, name: `${text}.csv` });
    return sha256(text);
  };

  const textOf = async (files: StagedFiles, owner: ReturnType<typeof session>, id: ReturnType<typeof sha256>) => {
    const file = await files.read(owner, id);
    return file === null ? null : `${file.name}: ${String(file.bytes)}`;
  };

  it("are their session's alone, and gone once imported", async () => {
    const files = new StagedFiles(folder, () => nowMs);
    const id = await stage(files, 'one', 'a statement');
    expect(await textOf(files, session('one'), id)).to.equal('a statement.csv: a statement');
    expect(await files.read(session('another'), id)).to.equal(null);
    await files.drop(session('one'), id);
    expect(await files.read(session('one'), id)).to.equal(null);
  });

  it('outlast neither an hour nor a restart, and are no more than a few', async () => {
    const files = new StagedFiles(folder, () => nowMs);
    const old = await stage(files, 'one', 'old');
    nowMs += HOUR + 1;
    const id = await stage(files, 'one', 'new');
    expect(await files.read(session('one'), old)).to.equal(null);
    for (let i = 0; i < 30; i += 1) {
      nowMs += 1;
      await stage(files, 'one', `file ${i}`);
    }
    expect(readdirSync(folder)).to.have.length(24);
    expect(await files.read(session('one'), id)).to.equal(null);
    writeFileSync(join(folder, 'notes.txt'), 'of somebody else');
    expect(new StagedFiles(folder, () => nowMs)).to.be.an('object');
    expect(readdirSync(folder)).to.deep.equal(['notes.txt']);
    expect(existsSync(join(folder, 'notes.txt'))).to.equal(true);
  });

  it("stay where another key has handed in many, from however many sessions, and that key's oldest go", async () => {
    const files = new StagedFiles(folder, () => nowMs);
    const mine = await stage(files, 'one', 'mine');
    const written = join(folder, 'b'.repeat(25));
    for (let i = 0; i < 30; i += 1) {
      nowMs += 1;
      writeFileSync(written, `${i}`);
      await files.take(session(`session ${i}`, 'greedy'), sha256(`${i}`), { path: written, name: '' });
    }
    expect(await textOf(files, session('one'), mine)).to.equal('mine.csv: mine');
    expect(await files.read(session('session 0', 'greedy'), sha256('0'))).to.equal(null);
    expect(await textOf(files, session('session 29', 'greedy'), sha256('29'))).to.equal(': 29');
    await files.drop(session('one'), mine);
    for (let i = 0; i < 30; i += 1) await files.drop(session(`session ${i}`, 'greedy'), sha256(`${i}`));
  });

  it('go after an hour where nobody hands in another one', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const files = new StagedFiles(folder, () => nowMs);
      await stage(files, 'one', 'a statement');
      nowMs += HOUR + 1;
      mock.timers.tick(HOUR + 1_000);
      expect(readdirSync(folder).filter((name) => name !== 'notes.txt')).to.deep.equal([]);
    } finally {
      mock.timers.reset();
    }
  });
});
