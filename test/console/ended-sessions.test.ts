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

  it('do not come back either where the ledger was started anew meanwhile, and take no room then', async () => {
    await new EndedSessions(file, NOW).end(first, NOW);
    expect(new EndedSessions(file, NOW + 3 * HOUR).has(other)).to.equal(false);
    const digests = readFileSync(file, 'utf8').match(/[0-9a-f]{64}/g);
    expect(digests).to.equal(null);
    const back = new EndedSessions(file, NOW + 60);
    expect([first, other].map((it) => back.has(it))).to.deep.equal([true, false]);
    await back.end(second, NOW + 60);
    const again = new EndedSessions(file, NOW + 120);
    expect([first, second, other].map((it) => again.has(it))).to.deep.equal([true, true, false]);
  });
});
