import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { orphanLog } from '../../src/event-store/orphan-log.ts';
import { placeOfFile } from '../../src/event-store/place-of-file.ts';
import { lockFileOf } from '../../src/event-store/sqlite/exclusive-lock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('the place of a file', () => {
  const { path, remove } = temporaryFolder();
  after(remove);
  before(() => {
    for (const folder of ['releases/42/data', 'shared', 'other']) mkdirSync(`${path}/${folder}`, { recursive: true });
    symlinkSync('releases/42', `${path}/current`);
    // From where the link is, not from where one came by it.
    symlinkSync('../../../shared/events.db', `${path}/releases/42/data/events.db`);
    symlinkSync(`${path}/current/data/events.db`, `${path}/other/events.db`);
    symlinkSync('second.db', `${path}/other/first.db`);
    symlinkSync('../shared/events.db', `${path}/other/second.db`);
  });

  for (const named of [
    'shared/events.db',
    'releases/42/data/events.db',
    'current/data/events.db',
    'other/events.db',
    'other/first.db',
  ]) {
    it(`is where the system makes it, and the same before and behind that: ${named}`, () => {
      const file = `${path}/${named}`;
      const [place, lock] = [placeOfFile(file), lockFileOf(file)];
      expect(lock).to.equal(`${place}.lock`);
      writeFileSync(file, '');
      expect(realpathSync(file)).to.equal(place);
      expect(placeOfFile(file)).to.equal(place);
      expect(lockFileOf(file)).to.equal(lock);
      rmSync(`${path}/shared/events.db`);
    });

    it(`has its write-ahead log beside it, whose file is missing: ${named}`, () => {
      writeFileSync(`${path}/shared/events.db-wal`, 'committed');
      expect(orphanLog(`${path}/${named}`)).to.equal(`${realpathSync(path)}/shared/events.db-wal`);
      rmSync(`${path}/shared/events.db-wal`);
      expect(orphanLog(`${path}/${named}`)).to.equal(null);
    });
  }

  it('is in the place of a folder that is not there yet', () => {
    expect(placeOfFile(`${path}/current/new/deeper/events.db`)).to.equal(
      `${realpathSync(path)}/releases/42/new/deeper/events.db`,
    );
  });

  it('is as it was named where links lead in a circle, or through what is no folder', () => {
    symlinkSync('round.db', `${path}/other/round.db`);
    writeFileSync(`${path}/other/file`, '');
    for (const named of ['other/round.db', 'other/file/events.db'])
      expect(placeOfFile(`${path}/${named}`)).to.equal(`${realpathSync(path)}/${named}`);
  });
});
