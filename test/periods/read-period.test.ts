import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { monthBefore, parseMonth, type Month } from '../../src/domain/month.ts';
import { readPeriods } from '../../src/queries/periods/read-period.ts';
import { pagesOf } from '../support/pages-of.ts';
import { right } from '../support/right.ts';

const HUNDRED_YEARS = 1_200;

const months = (): readonly Month[] => {
  const found: Month[] = [];
  for (let month = parseMonth('2026-03'); month !== null && found.length < HUNDRED_YEARS; month = monthBefore(month))
    found.push(month);
  return found;
};

describe('the months of a hundred years', () => {
  it('are read in their order, and let others have their turn in between', async () => {
    const over = new AbortController();
    let turns = 0;
    const count = async (): Promise<void> => {
      while (!over.signal.aborted) {
        turns += 1;
        await turn();
      }
    };
    const counted = count();
    const asked = months();
    const periods = right(await readPeriods({ streamPages: pagesOf(() => TE.right([])) }, asked)());
    over.abort();
    await counted;
    expect(periods.map(({ period }) => period)).to.deep.equal(asked);
    expect(turns).to.be.greaterThan(HUNDRED_YEARS / 100);
  });
});
