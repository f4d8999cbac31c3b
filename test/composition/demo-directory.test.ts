import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { expect } from 'chai';
import { claimDemoDirectory } from '../../src/composition/demo/demo-directory.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('the folder of a demonstration', () => {
  it('is new once, is then that of an earlier one, and is never that of a ledger', () => {
    const folder = temporaryFolder();
    const events = join(folder.path, 'events.db');
    expect(claimDemoDirectory(folder.path)).to.deep.equal(E.right('new'));
    writeFileSync(events, '');
    expect(claimDemoDirectory(folder.path)).to.deep.equal(E.right('again'));
    folder.remove();
    const other = temporaryFolder();
    writeFileSync(join(other.path, 'events.db'), '');
    expect(claimDemoDirectory(other.path)).to.have.nested.property('left.status', 2);
    other.remove();
  });
});
