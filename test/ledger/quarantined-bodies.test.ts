import { expect } from 'chai';
import { branded } from '../../src/domain/brand.ts';
import { quarantineStream, type Sha256, type StreamName } from '../../src/domain/ids.ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { KnownQuarantine } from '../../src/ledger/quarantined-bodies.ts';
import { right } from '../support/right.ts';

const bodyOf = (digit: string): Sha256 => branded<Sha256>(digit.repeat(64));

describe('what is known of the quarantine', () => {
  let streams: StreamName[];
  let reads: number;
  let quarantine: KnownQuarantine;
  const store = {
    listStreams: () =>
      TE.fromIO(() => {
        reads += 1;
        return streams;
      }),
  };
  beforeEach(() => {
    [streams, reads] = [[quarantineStream(bodyOf('a'))], 0];
    quarantine = new KnownQuarantine();
  });

  it('is nothing until it was read', async () => {
    expect(quarantine.bodies).to.equal(null);
    expect(right(await quarantine.load(store)()).has(bodyOf('a'))).to.equal(true);
    expect(quarantine.bodies?.has(bodyOf('a'))).to.equal(true);
  });

  it('is not read before it is followed: what comes in between would never be known', async () => {
    quarantine.follow(false);
    const loaded = quarantine.load(store)();
    for (let turns = 0; turns < 5; turns += 1) await new Promise(setImmediate);
    expect(reads).to.equal(0);
    streams.push(quarantineStream(bodyOf('b')));
    quarantine.follow(true);
    expect(right(await loaded).has(bodyOf('b'))).to.equal(true);
  });

  it('is nothing while others write unseen, and is not read again', async () => {
    await quarantine.load(store)();
    quarantine.follow(false);
    quarantine.follow(false);
    expect(quarantine.bodies).to.equal(null);
    const loaded = quarantine.load(store)();
    quarantine.saw([quarantineStream(bodyOf('c'))]);
    quarantine.follow(true);
    expect(right(await loaded).has(bodyOf('c'))).to.equal(true);
    expect(quarantine.bodies?.has(bodyOf('c'))).to.equal(true);
    expect(reads).to.equal(1);
  });
});
