import { expect } from 'chai';
import type { BankLine } from '../../src/domain/statement-line.ts';
import { lineNamer } from '../../src/statements/line-ids.ts';
import { readStatementFile } from '../../src/statements/read-statement-file.ts';
import { isUnreadable } from '../../src/statements/unreadable.ts';
import { BOOKINGS, type Booking } from '../support/bank-files/booking.ts';
import { mt940File } from '../support/bank-files/mt940-file.ts';

const linesOf = async (bookings: readonly Booking[], eol?: string): Promise<readonly BankLine[]> => {
  const text = mt940File(bookings, eol === undefined ? {} : { eol });
  const read = await readStatementFile(Buffer.from(text), {
    format: 'mt940',
    profile: null,
    account: null,
    currency: null,
  });
  return isUnreadable(read) ? expect.fail(read.detail) : read.flatMap(({ lines }) => lines);
};

const idsOf = async (bookings: readonly Booking[], eol?: string): Promise<readonly string[]> =>
  (await linesOf(bookings, eol)).map(lineNamer());

describe('ids of lines', () => {
  it('are the same in an overlapping file, wherever the line stands in it', async () => {
    const all = await idsOf(BOOKINGS);
    expect(await idsOf(BOOKINGS.slice(1))).to.deep.equal(all.slice(1));
    expect(await idsOf(BOOKINGS, '\n')).to.deep.equal(all);
  });

  it('tell equal lines of one file apart, and find each of them in another', async () => {
    const [first = expect.fail(), second = expect.fail()] = BOOKINGS;
    const twice = await idsOf([first, second, first]);
    expect(new Set(twice).size).to.equal(3);
    expect(await idsOf([second, first, first])).to.have.members([...twice]);
  });

  it('differ where anything differs that the line says', async () => {
    const [line = expect.fail()] = await linesOf(BOOKINGS);
    const named = (changed: Partial<BankLine>): string => lineNamer()({ ...line, ...changed });
    const others: readonly Partial<BankLine>[] = [
      { direction: 'out' },
      { reversal: true },
      { references: [] },
      { text: 'other' },
      { bookedOn: line.valueOn },
    ];
    expect(new Set([named({}), ...others.map(named)]).size).to.equal(others.length + 1);
    expect(named({ raw: 'other' })).to.equal(named({}));
  });
});
