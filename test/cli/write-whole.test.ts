import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { CommandFailure } from '../../src/cli/command-failure.ts';
import { beginDraft } from '../../src/composition/commands/begin-draft.ts';
import { replaceTogether, writeWhole } from '../../src/cli/write-whole.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Piece = E.Either<CommandFailure, Uint8Array>;

const FAILED: Piece = E.left({ status: 1, line: 'the rest can not be read' });

async function* pieces(...parts: readonly (string | Piece)[]): AsyncGenerator<Piece> {
  for (const part of parts) yield typeof part === 'string' ? E.right(Buffer.from(part)) : part;
}

const context = {
  beginDraft: (out: string) => Promise.resolve(beginDraft(out)),
  outFault: () => Promise.resolve(null),
};

describe('a file that is written whole', () => {
  let folder = temporaryFolder();

  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  const write = (...parts: readonly (string | Piece)[]) =>
    writeWhole(context, [{ file: join(folder.path, 'out'), pieces: () => pieces(...parts) }]);

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
    const failed = await writeWhole(context, [{ file: join(folder.path, 'no', 'out'), pieces: () => pieces('a') }]);
    expect(E.isLeft(failed) && [failed.left.status, failed.left.line]).to.deep.equal([
      1,
      `${join(folder.path, 'no', 'out')} can't be written (its folder is not there, ENOENT)`,
    ]);
  });

  const pair = (about: () => AsyncGenerator<Piece>) =>
    [
      { file: join(folder.path, 'out'), pieces: () => pieces('new') },
      { file: join(folder.path, 'out.manifest.json'), pieces: about },
    ] as const;
  const were = (): void => {
    writeFileSync(join(folder.path, 'out'), 'old');
    writeFileSync(join(folder.path, 'out.manifest.json'), 'about old');
  };
  const there = (): readonly string[] =>
    readdirSync(folder.path).map((name) => `${name}: ${readFileSync(join(folder.path, name), 'utf8')}`);

  it('takes the place of both where another says something about it, or of none', async () => {
    were();
    expect(
      await writeWhole(
        context,
        pair(() => pieces('about ', FAILED)),
      ),
    ).to.deep.equal(FAILED);
    expect(there()).to.deep.equal(['out: old', 'out.manifest.json: about old']);
    expect(
      await writeWhole(
        context,
        pair(() => pieces('about new')),
      ),
    ).to.deep.equal(E.right(undefined));
    expect(there()).to.deep.equal(['out: new', 'out.manifest.json: about new']);
  });

  it('stands beside nothing that does not fit it, wherever the exchange of both is cut off', () => {
    // A step fails, and all behind it are missing, where there is nothing to rename.
    for (const [prepared, left] of [
      [[], ['out: old']],
      [['out.part'], ['out: new']],
      [
        ['out.part', 'out.manifest.json.part'],
        ['out: new', 'out.manifest.json: new'],
      ],
    ] as const) {
      were();
      for (const name of prepared) writeFileSync(join(folder.path, name), 'new');
      try {
        replaceTogether(pair(() => pieces()).map(({ file }) => ({ file, unfinished: `${file}.part` })));
      } catch (error) {
        expect(error).to.have.property('code', 'ENOENT');
      }
      expect(there()).to.deep.equal(left);
    }
  });
});
