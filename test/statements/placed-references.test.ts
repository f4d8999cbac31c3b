import { expect } from 'chai';
import { boundedLine } from '../../src/statements/bounded-line.ts';
import { placedReferences } from '../../src/statements/mt940/mt940-entry.ts';
import { readStatementFile } from '../../src/statements/read-statement-file.ts';
import { isUnreadable } from '../../src/statements/unreadable.ts';

const READING = { format: 'mt940', profile: null, account: null, currency: null } as const;

/** The references of an entry, and those of them that stand in their own places, as its kept line says. */
const referencesOf = async (...entry: readonly string[]) => {
  const file = [':20:X', ':25:ACC', ':28C:1/1', ...entry, ':62F:C260302EUR0,', '-', ''].join('\r\n');
  const read = await readStatementFile(Buffer.from(file), READING);
  const line = isUnreadable(read) ? undefined : read[0]?.lines[0];
  if (line === undefined) return expect.fail('it was not read');
  const { references, raw } = boundedLine(line);
  return { references, placed: placedReferences(raw) };
};

describe('places of references in a kept line of MT940', () => {
  it('are field 61 and the words of field 86 that name a payment', async () => {
    expect(
      await referencesOf(
        ':61:2603020302D1,NTRFPAYMENT01//BANK0001',
        'BELOW00001',
        ':86:/EREF/END2END0001/REMI/FOR 00001111',
        '22223333 AND MORE',
      ),
    ).to.deep.equal({
      references: ['PAYMENT01', 'BANK0001', 'END2END0001', '00001111', '22223333', 'BELOW00001'],
      placed: ['PAYMENT01', 'BANK0001', 'END2END0001'],
    });
    expect(
      await referencesOf(':61:2603020302D1,NTRFNONREF', ':86:166?00TEXT?20EREF+END2END1?21SVWZ+X00001111'),
    ).to.deep.equal({
      references: ['END2END1'],
      placed: ['END2END1'],
    });
  });

  it('are none in free text, of however many fields', async () => {
    expect(
      await referencesOf(':61:2603020302D1,NTRFNONREF', ':86:FOR 00001111', '22223333', ':86:FOR 44445555', '66667777'),
    ).to.deep.equal({ references: ['00001111', '22223333', '44445555', '66667777'], placed: [] });
  });

  it('are not known beyond the end of what is kept, and those of other formats are no matter of it', async () => {
    const long = Array.from({ length: 3_000 }, () => 'WORDS OF A TEXT');
    const { references, placed } = await referencesOf(
      ':61:2603020302D1,NTRFP1',
      ':86:',
      ...long,
      ':86:/EREF/END2END0001/REMI/X',
    );
    expect(references).to.include('END2END0001');
    expect(placed).to.deep.equal(['P1']);
    expect(placedReferences('<Ntry/>')).to.equal(null);
  });
});
