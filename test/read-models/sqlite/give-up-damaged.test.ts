import Database from 'better-sqlite3';
import { expect } from 'chai';
import { giveUpDamaged } from '../../../src/read-models/sqlite/give-up-damaged.ts';

const DAMAGE = new Database.SqliteError('database disk image is malformed', 'SQLITE_CORRUPT');

/** As a registry, of which another one may change what serves before a swap. */
const registry = (first: number, before: (set: (serving: number) => void) => void = () => undefined) => {
  let serving = first;
  return {
    serving: () => serving,
    swap: (from: number, to: number): boolean => {
      before((other) => {
        serving = other;
      });
      if (serving !== from) return false;
      serving = to;
      return true;
    },
  };
};

describe('a generation of which a page is damaged', () => {
  it('serves no longer, once a minute, and for nothing but damage', () => {
    let ms = 0;
    const generations = registry(3);
    const giveUp = giveUpDamaged(generations, () => ms);
    expect(giveUp(new Database.SqliteError('disk I/O error', 'SQLITE_IOERR'))).to.equal(false);
    expect(generations.serving()).to.equal(3);
    expect(giveUp(DAMAGE)).to.equal(true);
    expect(generations.serving()).to.equal(0);
    generations.swap(0, 4);
    ms = 59_999;
    expect(giveUp(DAMAGE)).to.equal(false);
    ms = 60_000;
    expect(giveUp(DAMAGE)).to.equal(true);
    expect(generations.serving()).to.equal(0);
  });

  it('is given up for each who meets it, whoever was quicker', () => {
    const before = registry(0);
    expect(giveUpDamaged(before)(DAMAGE)).to.equal(true);
    const between = registry(3, (set) => set(0));
    expect(giveUpDamaged(between)(DAMAGE)).to.equal(true);
  });

  it('is let be where a new one serves by now', () => {
    const generations = registry(3, (set) => set(4));
    expect(giveUpDamaged(generations)(DAMAGE)).to.equal(false);
    expect(generations.serving()).to.equal(4);
  });
});
