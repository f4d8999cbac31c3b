import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { CommandFailure } from '../../src/cli/command-failure.ts';
import { writeWhole } from '../../src/cli/write-whole.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Piece = E.Either<CommandFailure, Uint8Array>;

const FAILED: Piece = E.left({ status: 1, line: 'the rest can not be read' });

async function* pieces(...parts: readonly (string | Piece)[]): AsyncGenerator<Piece> {
  for (const part of parts) yield typeof part === 'string' ? E.right(Buffer.from(part)) : part;
}

const context = { undoneWhenEnded: () => () => undefined };

describe('a file that is written whole', () => {
  let folder = temporaryFolder();

  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  const write = (...parts: readonly (string | Piece)[]) =>
    writeWhole(context, join(folder.path, 'out'), join(folder.path, 'out.part'), pieces(...parts));

  it('takes the place of what was there, for its owner only', async () => {
    writeFileSync(join(folder.path, 'out'), 'before', { mode: 0o644 });
    expect(await write('one, ', 'two')).to.deep.equal(E.right(undefined));
    expect(readFileSync(join(folder.path, 'out'), 'utf8')).to.equal('one, two');
    expect(statSync(join(folder.path, 'out')).mode & 0o777).to.equal(0o600);
    expect(readdirSync(folder.path)).to.deep.equal(['out']);
  });

  it('leaves what was there where it can not be finished, and nothing else', async () => {
    writeFileSync(join(folder.path, 'out'), 'before');
    expect(await write('one, ', FAILED)).to.deep.equal(FAILED);
    expect(readFileSync(join(folder.path, 'out'), 'utf8')).to.equal('before');
    expect(readdirSync(folder.path)).to.deep.equal(['out']);
  });

  it('fails in a line where it can not be made', async () => {
    const failed = await writeWhole(
      context,
      join(folder.path, 'no', 'out'),
      join(folder.path, 'no', 'part'),
      pieces('a'),
    );
    expect(E.isLeft(failed) && [failed.left.status, failed.left.line]).to.deep.equal([
      1,
      `${join(folder.path, 'no', 'out')} can't be written (ENOENT: no such file or directory, open '${join(folder.path, 'no', 'part')}')`,
    ]);
  });
});
