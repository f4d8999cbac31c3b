import { expect } from 'chai';
import { threadedStatements } from '../../src/threads/threaded-statements.ts';

const READING = { format: 'mt940', profile: null, account: null, currency: null } as const;

describe('bank files in threads of their own', () => {
  it('are given up where they take too long, and keep no other one waiting', async () => {
    const open = threadedStatements(1);
    const both = await Promise.all([open(Buffer.from(':20:'), READING)(), open(Buffer.from(':20:'), READING)()]);
    for (const read of both) {
      expect(read).to.have.nested.property('left.detail', 'the file took too long to be read');
    }
  });
});
