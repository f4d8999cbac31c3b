import { expect } from 'chai';
import * as fc from 'fast-check';
import { branded } from '../../src/domain/brand.ts';
import type { BusinessDay } from '../../src/domain/business-day.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import type { Sha256 } from '../../src/domain/ids.ts';
import type { AccountName, CurrencyCode } from '../../src/domain/statement-line.ts';
import { accountPart, type AccountPart, type PartLine } from '../../src/statements/account-part.ts';
import { timesBooked } from '../../src/statements/times-booked.ts';
import { runs } from '../support/runs.ts';

const turns = (): Promise<void> => Promise.resolve();
const [EVE, DAY] = [branded<BusinessDay>('2026-09-09'), branded<BusinessDay>('2026-09-10')];
const KINDS = [5, 7, 100] as const;
const contentOf = (amount: number): Sha256 => branded<Sha256>(`paid:${amount}`);

/** A file of a day, or of its eve too, that opens with a balance. */
type Told = { readonly opening: number; readonly hasEve: boolean; readonly paid: readonly number[] };

const partOf = async ({ opening, hasEve, paid }: Told): Promise<readonly AccountPart[]> => {
  const eve = hasEve ? [{ bookedOn: EVE, units: 1_000 }] : [];
  const lines = [...eve, ...paid.map((units) => ({ bookedOn: DAY, units }))].map(
    ({ bookedOn, units }, index): PartLine => ({
      index,
      bookedOn,
      amount: branded<Decimal>(String(units)),
      direction: 'out',
      content: contentOf(units),
    }),
  );
  const closing = lines.reduce((left, { amount }) => left - Number(amount), opening);
  const from = hasEve ? EVE : DAY;
  const part = await accountPart(
    {
      account: branded<AccountName>('1'),
      currency: branded<CurrencyCode>('INR'),
      from,
      to: DAY,
      opening: branded<Decimal>(String(opening)),
      closing: branded<Decimal>(String(closing)),
      lines: lines.length,
      coveredFrom: from,
      coveredTo: DAY,
    },
    lines,
    turns,
  );
  return part === null ? [] : [part];
};

const countsOf = async (parts: readonly AccountPart[]): Promise<readonly number[]> => {
  const times = await timesBooked(parts, turns);
  const counts: number[] = [];
  for (const units of KINDS) counts.push(await times(contentOf(units)));
  return counts;
};

const file = fc.record({
  opening: fc.integer({ min: 10, max: 400 }).map((at) => 100_000 + 13 * at),
  hasEve: fc.boolean(),
  paid: fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 4 }),
});

describe('how often files of a day tell a booking', () => {
  it('is the same in whatever order they are imported, and no less by a further one, however many are in doubt', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 14 }), async (files) => {
        const parts = (await Promise.all(files.map(partOf))).flat();
        let before: readonly number[] = KINDS.map(() => 0);
        for (let many = 1; many <= parts.length; many += 1) {
          const counts = await countsOf(parts.slice(0, many));
          for (const [at, count] of counts.entries()) expect(count).to.be.at.least(before[at] ?? 0);
          before = counts;
        }
        expect(await countsOf(parts.toReversed())).to.deep.equal(before);
      }),
      { numRuns: runs(60) },
    );
  });
});
