import { expect } from 'chai';
import { connectionsTaken } from '../../../src/http/connections/connections-taken.ts';

describe('connections that are taken at once', () => {
  it('are as many as the files that may be open leave, never more than the usual number, and some of few', () => {
    const most = (openFiles: number | null): number => connectionsTaken(openFiles).most;
    const { usual, enoughFiles } = connectionsTaken(null);
    expect([null, 1_048_576, enoughFiles].map(most)).to.deep.equal([usual, usual, usual]);
    expect([enoughFiles - 1, 4_096, 1_024].map(most)).to.deep.equal([usual - 1, 3_840, 768]);
    expect([256, 64].map(most)).to.deep.equal([64, 16]);
  });
});
