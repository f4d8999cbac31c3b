import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { instantOf } from '../../src/domain/instant.ts';
import { parseChainId } from '../../src/domain/transfer.ts';
import { BOOKINGS } from '../support/bank-files/booking.ts';
import { statementOf } from '../support/bank-imports.ts';
import { right } from '../support/right.ts';
import { threadedStatements } from '../../src/threads/threaded-statements.ts';

const READING = { format: 'mt940', profile: null, account: null, currency: null } as const;

/** A statement of one of a thousand accounts, which are as many as a file may have, without a line. */
const emptyStatement = (at: number): string => `:20:X\n:25:A${at % 1_000}\n:62F:C260302EUR0,\n-\n`;

describe('bank files in threads of their own', () => {
  it('are given up where they take too long, and keep no other one waiting', async () => {
    const { open } = threadedStatements(1);
    const both = await Promise.all([open(Buffer.from(':20:'), READING)(), open(Buffer.from(':20:'), READING)()]);
    for (const read of both) {
      expect(read).to.have.nested.property('left.detail', 'the file took too long to be read');
    }
  });

  it('take no more memory than they may, and the next one is read', async () => {
    const { open } = threadedStatements(60_000, 24);
    const [tooLarge, next] = await Promise.all([
      open(Buffer.from(Array.from({ length: 100_000 }, (_, at) => emptyStatement(at)).join('')), READING)(),
      open(statementOf(), READING)(),
    ]);
    // Asked again, it would take as much: whoever sent it must divide it.
    expect(E.isLeft(tooLarge) && tooLarge.left).to.include({ _tag: 'StatementUnreadable', line: null, field: 'size' });
    await right(next).close();
  });

  it('are read in little memory where they are nothing but very many short lines', async () => {
    const { open } = threadedStatements(60_000, 24);
    const opened = right(await open(statementOf(BOOKINGS, 40_000), READING)());
    try {
      expect(right(await opened.lines(39_000, 3)()).map(({ index }) => index)).to.deep.equal([39_000, 39_001, 39_002]);
    } finally {
      await opened.close();
    }
  });

  it('fail where the thread is gone before all lines are had: none of them is nothing', async () => {
    const opened = right(await threadedStatements().open(statementOf(), READING)());
    try {
      expect(right(await opened.lines(0, 3)())).to.have.length(3);
      expect(right(await opened.lines(3, 100)())).to.have.length(BOOKINGS.length - 3);
    } finally {
      await opened.close();
    }
    const lines = await opened.lines(0, 3)();
    expect(E.isLeft(lines) && lines.left._tag).to.equal('FileFailed');
  });

  it('are given up where their thread, which has read them, gives no more of them, and keep no other one waiting', async () => {
    const { open } = threadedStatements(60_000, undefined, 1);
    const [first, next] = [open(statementOf(BOOKINGS, 20_000), READING)(), open(statementOf(), READING)()];
    const lines = await right(await first).lines(0, 20_000)();
    expect(lines).to.have.nested.property('left.detail', 'the thread of the file gives nothing more of it');
    // Nobody has closed the first one.
    await right(await next).close();
  });

  it('are looked at one by one with those that are read', async () => {
    const { open, peekTable } = threadedStatements();
    const opened = right(await open(statementOf(), READING)());
    let isPeeked = false;
    const peeked = peekTable(Buffer.from('a,b\n1,2'), 'csv')().then((table) => {
      isPeeked = true;
      return table;
    });
    right(await opened.lines(0, 3)());
    expect(isPeeked).to.equal(false);
    await opened.close();
    expect(right(await peeked).rows).to.deep.equal([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['1', '2'] },
    ]);
  });

  it('are files of transfers too', async () => {
    const { openTransfers } = threadedStatements();
    const context = { chainId: null, token: null, decimals: null, now: instantOf(0) };
    const line = (to: string) =>
      JSON.stringify({ chainId: 1, txnHash: `0x${'a'.repeat(64)}`, to, baseUnits: '1', status: 'success' });
    const opened = right(await openTransfers(Buffer.from(`${line('0x1')}\n${line('0x2')}`), context)());
    try {
      expect(right(await opened.transfers(1, 5)()).map(({ to }) => to)).to.deep.equal(['0x2']);
    } finally {
      await opened.close();
    }
    const refused = await openTransfers(Buffer.from('{}'), context)();
    expect(E.isLeft(refused) && refused.left).to.include({ line: 1, field: 'chainId' });
  });

  it('take no memory for rows that are no transfers, however many they are', async () => {
    const { openTransfers } = threadedStatements(60_000, 32);
    const context = { chainId: parseChainId('1'), token: null, decimals: null, now: instantOf(0) };
    const refused = await openTransfers(Buffer.from(`Transaction Hash,Blockno\n${'a,b\n'.repeat(200_000)}`), context)();
    expect(E.isLeft(refused) && refused.left).to.include({ line: 2, field: 'to' });
  });
});
