import { realpathSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { isMountPoint, readMountInfo } from '../../src/event-store/mount-points.ts';
import { secondName } from '../../src/event-store/second-name.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A line as Linux writes it: the folder of another ledger's file, and the place where it is mounted. */
const mounted = (place: string): string =>
  `36 35 254:0 /other/events.db ${place} rw,relatime shared:1 - ext4 /dev/vda rw\n`;

const ROOT = '24 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n';

describe('a database that is a mount of its own', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  before(() => {
    folder = temporaryFolder();
  });
  after(() => folder.remove());

  it('is one that is reached by another name too: its log and lock would stand beside that', () => {
    const file = `${folder.path}/events.db`;
    writeFileSync(file, '');
    const seen = (mountInfo: string) => secondName(file, 'cure', () => mountInfo);
    const place = realpathSync(file);
    expect(seen(ROOT + mounted(`${place}-wal`))).to.equal(null);
    expect(seen('')).to.equal(null);
    const found = seen(ROOT + mounted(place));
    expect(found).to.have.property('detail').that.includes('events.db is mounted by itself');
    expect(found).to.have.property('cure').that.includes('mount the folder that holds it');
  });

  it('is told by the place alone, whatever blanks and letters are in it', () => {
    const lines = mounted(String.raw`/mnt/a\040b\134c/events.db`) + mounted('/mnt/ä/events.db');
    const info = Buffer.from(lines).toString('latin1');
    expect(isMountPoint('/mnt/a b\\c/events.db', info)).to.equal(true);
    expect(isMountPoint('/mnt/ä/events.db', info)).to.equal(true);
    expect(isMountPoint('/other/events.db', info)).to.equal(false);
    expect(isMountPoint('', info)).to.equal(false);
  });

  it('is none where the system says nothing, and the root is one where it does', () => {
    const info = readMountInfo();
    expect(isMountPoint('/', info)).to.equal(info !== '');
    expect(isMountPoint(realpathSync(folder.path), info)).to.equal(false);
  });
});
