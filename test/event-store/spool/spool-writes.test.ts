import { expect } from 'chai';
import { MendingFile } from '../../../src/event-store/spool/mending-file.ts';
import { openSpoolFile } from '../../../src/event-store/spool/open-spool-file.ts';
import { SpoolCounts } from '../../../src/event-store/spool/spool-counts.ts';
import { SpoolWrites } from '../../../src/event-store/spool/spool-writes.ts';
import { right } from '../../support/right.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { delivery } from './spool-scene.ts';

describe('what is to be written to a spool', () => {
  it('is kept until it is written, and no longer: each commit would write all of it again', () => {
    const { path, remove } = temporaryFolder();
    const name = `${path}/spool.db`;
    const nothing = (): void => undefined;
    const file = new MendingFile(right(openSpoolFile(name)), {
      file: name,
      clockMs: () => 0,
      load: nothing,
      onMended: nothing,
    });
    const writes = new SpoolWrites(file, new SpoolCounts());
    writes.put({ verified: delivery(1), key: 'a', note: null, answer: nothing });
    writes.commit();
    writes.settle({ seq: 1, note: null });
    expect(writes.settled(1)).to.deep.equal({ seq: 1, note: null });
    writes.commit();
    expect(writes.settled(1)).to.equal(undefined);
    expect(writes.reserved).to.equal(0);
    file.close();
    remove();
  });
});
