import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { beginDraft } from '../../src/composition/commands/begin-draft.ts';
import { lookAtDataDirectory } from '../../src/composition/doctor/look-at-folders.ts';
import { leftDraftsIn, removeLeftDraftsIn } from '../../src/composition/left-drafts.ts';
import { runHere } from '../support/run-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('drafts that killed commands have left in a data directory', () => {
  let folder = temporaryFolder();
  let data = '';
  beforeEach(() => {
    folder = temporaryFolder();
    data = join(folder.path, 'data');
    mkdirSync(data, { mode: 0o700 });
  });
  afterEach(() => folder.remove());

  const leave = (...names: readonly string[]): void => {
    for (const name of names) writeFileSync(join(data, name), '', { mode: 0o600 });
  };
  const drafts = (): readonly string[] => readdirSync(data).filter((name) => name.includes('.part'));
  const LEFT = ['backup.0123456789abcdef.part', 'orders.csv.fedcba9876543210.part'];
  const BESIDE = ['', '-journal', '.lock', '.lock-journal'];
  const ALL = LEFT.flatMap((name) => BESIDE.map((suffix) => `${name}${suffix}`));

  it('are removed with all that belongs to them, whatever they are drafts of', () => {
    leave(...ALL);
    expect(leftDraftsIn(data)).to.have.members(LEFT.map((name) => join(data, name)));
    expect(drafts()).to.have.members(ALL);
    removeLeftDraftsIn(data);
    expect(drafts()).to.deep.equal([]);
    expect(leftDraftsIn(data)).to.deep.equal([]);
  });

  it('are none that are being written, and none without a lock, which may be another program’s', () => {
    leave('download.0123456789abcdef.part');
    const draft = beginDraft(join(data, 'orders.csv'));
    writeFileSync(draft.file, 'begun');
    const before = drafts();
    removeLeftDraftsIn(data);
    expect(drafts()).to.have.members(before);
    expect(leftDraftsIn(data)).to.deep.equal([]);
    draft.end();
    removeLeftDraftsIn(join(data, 'none'));
  });

  it('are removed by a start, and by the next command, and told of by doctor until then', async () => {
    const env = { DATA_DIR: data, PORT: '0', LOG_LEVEL: 'error' };
    leave(...ALL);
    expect(await runHere(['serve'], env)).to.have.property('status', 0);
    expect(drafts()).to.deep.equal([]);
    leave(...ALL);
    const seen = lookAtDataDirectory(data);
    expect(seen._tag === 'There' ? seen.told.map(({ cure }) => cure) : seen).to.have.members(
      LEFT.map((name) => `the next start removes it, or: rm ${join(data, name)}*`),
    );
    expect(await runHere(['orders'], env)).to.have.property('status', 0);
    expect(drafts()).to.deep.equal([]);
  });
});
