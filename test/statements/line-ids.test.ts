import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { normalised } from '../../src/domain/decimal.ts';
import { drawnLineKey, type LineKey } from '../../src/domain/line-key.ts';
import type { BankLine } from '../../src/domain/statement-line.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { lineNaming } from '../../src/statements/line-ids.ts';
import { LinePlaces } from '../../src/statements/line-places.ts';
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
  return isUnreadable(read) ? expect.fail(read.detail) : read.flatMap(({ lines }) => [...lines]);
};

const keyOf = (byte: number): LineKey => drawnLineKey((size) => Buffer.alloc(size, byte));

const KEY = keyOf(1);

/** Names the lines of one file in their order. */
const namer = (key: LineKey, which: 'keyed' | 'former' = 'keyed'): ((line: BankLine) => string) => {
  const [places, namesOf] = [new LinePlaces(100), lineNaming(key)];
  let at = 0;
  return (line) => {
    places.add(line);
    const [place = expect.fail()] = places.places(at, 1);
    at += 1;
    return namesOf(place)[which];
  };
};

const idsOf = async (bookings: readonly Booking[], eol?: string): Promise<readonly string[]> =>
  (await linesOf(bookings, eol)).map(namer(KEY));

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
    const named = (changed: Partial<BankLine>): string => namer(KEY)({ ...line, ...changed });
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

  it('are HMACs with the key of the log over what a line says and how many equal ones are before it', async () => {
    const [first = expect.fail()] = BOOKINGS;
    const lines = await linesOf([first, first]);
    const [line = expect.fail()] = lines;
    const { account, currency, bookedOn, valueOn, direction, reversal, references, text } = line;
    const said = [account, currency, bookedOn, valueOn, normalised(line.amount), direction, reversal, references, text];
    const content = sha256(JSON.stringify(said));
    const hmac = (before: number, byte: number): string =>
      createHmac('sha256', Buffer.alloc(32, byte))
        .update(JSON.stringify([content, before]))
        .digest('hex');
    expect(lines.map(namer(keyOf(1)))).to.deep.equal([hmac(0, 1), hmac(1, 1)]);
    expect(lines.map(namer(keyOf(2)))).to.deep.equal([hmac(0, 2), hmac(1, 2)]);
    // What the first ledgers named them by, which they keep.
    const former = [content, sha256(JSON.stringify([content, 1]))];
    expect(lines.map(namer(keyOf(1), 'former'))).to.deep.equal(former);
  });
});
