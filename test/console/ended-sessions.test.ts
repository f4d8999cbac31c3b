import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { EndedSessions } from '../../src/console/ended-sessions.ts';
import type { Session } from '../../src/console/session.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { READER } from './readers.ts';

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

  it('are forgotten when they are over and a thousand others are too, in the file as well', async () => {
    const many = Array.from({ length: 1_100 }, (_, i) => session(`nonce-${i}-of-many-signs`, NOW + i));
    const ended = new EndedSessions(file, NOW);
    for (const it of many) await ended.end(it, NOW);
    const later = new EndedSessions(file, NOW + 2 * HOUR);
    expect(many.findIndex((it) => later.has(it))).to.equal(100);
    expect(readFileSync(file, 'utf8').match(/[0-9a-f]{64}/g)?.length).to.equal(1_000);
  });
});
