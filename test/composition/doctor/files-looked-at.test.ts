import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { filesLookedAt } from '../../../src/composition/doctor/files-looked-at.ts';
import { wrong } from '../../../src/doctor/doctor-check.ts';
import { NOT_BEGUN, withUnanswered } from '../../../src/doctor/unanswered-check.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('doctor, where the process that looks at files has not begun in time', () => {
  it('says so of each look, and blames no disk for it', async () => {
    const folder = temporaryFolder();
    // No process begins within a millisecond.
    const seen = await filesLookedAt({ DATA_DIR: folder.path }, 1);
    folder.remove();
    for (const look of [seen.Folders, seen.Spool, seen.ReadModels, seen.Trial, seen.Log]) {
      expect(look).to.deep.equal(E.left(NOT_BEGUN));
    }
    const checkOf = (why: string) => withUnanswered([wrong('spool', '', '')], new Map([['spool', why]]))[0];
    expect(checkOf(NOT_BEGUN)).to.deep.include({
      detail: `what DATA_DIR names could not be looked at: ${NOT_BEGUN}`,
      cure: 'this machine is busy, which says nothing of a disk: run doctor again',
    });
    expect(checkOf('no answer within 2.0 s')?.cure).to.match(/^look at the disk of DATA_DIR/);
  });
});
