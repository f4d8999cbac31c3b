import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { askedBy } from '../../src/access/asker.ts';
import { inPlace, streamPlaces } from '../../src/access/stream-places.ts';
import { threadedStatements } from '../../src/threads/threaded-statements.ts';
import { statementOf } from '../support/bank-imports.ts';
import { right } from '../support/right.ts';

const READING = { format: 'mt940', profile: null, account: null, currency: null } as const;

const askerOf = (keyId: string, isGone = () => false) => ({ keyId, mayRead: () => true, isGone });

/** Files that are read and closed at once, by the keys that bring them, and in which order they were. */
const readFiles = () => {
  const { open, peekTable } = threadedStatements();
  const read: string[] = [];
  return {
    read,
    open: (keyId: string) => askedBy(askerOf(keyId), open(statementOf(), READING)),
    bring: (keyId: string) =>
      askedBy(askerOf(keyId), async () => {
        const opened = right(await open(statementOf(), READING)());
        read.push(keyId);
        await opened.close();
      }),
    peek: (keyId: string) =>
      askedBy(askerOf(keyId), async () => {
        right(await peekTable(Buffer.from('a,b\n1,2'), 'csv')());
        read.push(keyId);
      }),
  };
};

describe('bank files of several keys', () => {
  it('wait for the one that is being taken in, and for no other of a key that brings many', async () => {
    const { read, open, bring, peek } = readFiles();
    const underWay = right(await open('many'));
    const many = Array.from({ length: 3 }, () => bring('many'));
    const others = [bring('few'), peek('looks')];
    await underWay.close();
    await Promise.all([...many, ...others]);
    expect(read).to.deep.equal(['few', 'looks', 'many', 'many', 'many']);
  });

  it('leave the line, and their places to others, where whoever brought them hangs up while they wait', async () => {
    const { open } = threadedStatements();
    const places = streamPlaces();
    const bring = (isGone: () => boolean) => {
      const reader = askerOf('a', isGone);
      return askedBy(reader, inPlace(places, 'bank files', reader, open(statementOf(), READING)));
    };
    const underWay = right(await open(statementOf(), READING)());
    let isGone = false;
    const waiting = Array.from({ length: 4 }, () => bring(() => isGone));
    expect(await bring(() => false)).to.deep.equal(E.left({ _tag: 'Overloaded', by: 'bank files' }));
    isGone = true;
    // The file before them is still there: they are answered in the line.
    for (const left of await Promise.all(waiting)) expect(left).to.deep.equal(E.left({ _tag: 'AskerGone' }));
    const next = bring(() => false);
    await underWay.close();
    await right(await next).close();
  });
});
