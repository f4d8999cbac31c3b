import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { EndedSessions } from '../../src/console/ended-sessions.ts';
import type { Session } from '../../src/console/session.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { OTHER, READER } from './readers.ts';

const NOW = 1_800_000_000;
const HOUR = 3_600;

const session = (nonce: string, expiresAt: number): Session => ({ key: READER, nonce, expiresAt });

describe('sessions that were signed out of', () => {
  const first = session('first-nonce-of-22-signs', NOW + 2 * HOUR);
  const second = session('second-nonce-of-22-signs', NOW + 9 * HOUR);
  const other = session('other-nonce-of-22-signs', NOW + 8 * HOUR);

  let folder: ReturnType<typeof temporaryFolder>;
  let file: string;
  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder.path, 'ended-sessions');
  });
  afterEach(() => folder.remove());

  it('do not come back with a clock that went past their end and back', async () => {
    const ended = new EndedSessions(null, NOW);
    await ended.end(first, NOW);
    await ended.end(second, NOW + 3 * HOUR);
    expect([first, second, other].map((it) => ended.has(it))).to.deep.equal([true, true, false]);
  });

  it('do not come back either where the ledger was started anew meanwhile', async () => {
    await new EndedSessions(file, NOW).end(first, NOW);
    expect(new EndedSessions(file, NOW + 3 * HOUR).has(other)).to.equal(false);
    const back = new EndedSessions(file, NOW + 60);
    expect([first, other].map((it) => back.has(it))).to.deep.equal([true, false]);
  });

  it('keep nobody out who signs in later, whatever the clock was when they ended', async () => {
    const ahead = NOW + 10_000 * HOUR;
    const ended = new EndedSessions(null, ahead);
    await ended.end(session('ahead-nonce-of-22-signs', ahead + 8 * HOUR), ahead);
    await ended.end(second, ahead + 9 * HOUR);
    expect(ended.has(other)).to.equal(false);
  });

  it('take no more room however many a key ends, here and in the file, and none comes back', async () => {
    const many = Array.from({ length: 5_000 }, (_, i) => session(`nonce-${i}-of-many-signs`, NOW + 1 + i));
    const late = session('late-nonce-of-22-signs', NOW + 7 * HOUR);
    const ofOther: Session = { key: OTHER, nonce: 'nonce-of-another-key-22', expiresAt: NOW + 1 };
    const ended = new EndedSessions(file, NOW);
    await Promise.all(many.map((it) => ended.end(it, NOW)));
    const whole = new EndedSessions(file, NOW);
    expect(many.filter((it) => !whole.has(it))).to.deep.equal([]);
    for (const it of many.slice(0, 100))
      await ended.end({ ...it, nonce: `${it.nonce}-again`, expiresAt: late.expiresAt - 1 }, NOW);
    for (const known of [ended, new EndedSessions(file, NOW)]) {
      expect(many.filter((it) => !known.has(it))).to.deep.equal([]);
      expect([known.has(late), known.has(ofOther)]).to.deep.equal([false, false]);
    }
    expect(readFileSync(file, 'utf8').split('\n').length).to.be.lessThan(2_500);
  });

  it('that end at once share a write, and are kept', async () => {
    const many = Array.from({ length: 50 }, (_, i) => session(`nonce-${i}-of-many-signs`, NOW + HOUR));
    const ended = new EndedSessions(file, NOW);
    await Promise.all(many.map((it) => ended.end(it, NOW)));
    const again = new EndedSessions(file, NOW);
    expect(many.filter((it) => !again.has(it))).to.deep.equal([]);
  });

  it('are kept with the next one where the disk failed, which is told', async () => {
    const ended = new EndedSessions(file, NOW);
    mkdirSync(file);
    const failure = await ended.end(first, NOW).catch((error: unknown) => error);
    expect(String(failure)).to.include('EISDIR');
    rmdirSync(file);
    await ended.end(second, NOW);
    const again = new EndedSessions(file, NOW);
    expect([first, second, other].map((it) => again.has(it))).to.deep.equal([true, true, false]);
  });

  it('are read from the lines of old, which name no key, and one there in part takes none along', async () => {
    writeFileSync(file, `${first.expiresAt} ${sha256(first.nonce)}\nin the mid`);
    await new EndedSessions(file, NOW).end(second, NOW);
    const again = new EndedSessions(file, NOW);
    expect([first, second, other].map((it) => again.has(it))).to.deep.equal([true, true, false]);
  });
});
