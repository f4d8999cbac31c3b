import { expect } from 'chai';
import { boundedLine } from '../../src/statements/bounded-line.ts';
import { placedReferences } from '../../src/statements/mt940/kept-entry.ts';
import { readStatementFile } from '../../src/statements/read-statement-file.ts';
import { isUnreadable } from '../../src/statements/unreadable.ts';

const READING = { format: 'mt940', profile: null, account: null, currency: null } as const;

/** The references of an entry, and those of them that stand in their own places, as its kept line says. */
const referencesOf = async (...entry: readonly string[]) => {
  const file = [':20:X', ':25:ACC', ':28C:1/1', ...entry, ':62F:C260302EUR0,', '-', ''].join('\r\n');
  const read = await readStatementFile(Buffer.from(file), READING);
  const [line] = isUnreadable(read) ? [] : (read[0]?.lines ?? []);
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

  for (const details of [
    '/EREF/E2E-0001/UDTR/Asha Rao Mumbai/REMI/thanks',
    '/EREF/E2E-0002/ADR/12 Hill Road/PHON/+919876543210/REMI/x',
    '/EREF/E2E-0006/BENM NAME/Asha Rao',
    '166?00PAY?20EREF+ABCDEFGHIJKLMNOPQRSTUV?21ASHA RAO SALARY?32VIKRAM',
    '/EREF/E2E0007AshaRaoTwelveHillRoadMumbaiIndia',
  ])
    it(`are none where more than the reference stands in them: ${details}`, async () => {
      const { references, placed } = await referencesOf(':61:2603020302D1,NTRFNONREF', `:86:${details}`);
      expect(references.some((reference) => /asha|hill/i.test(reference))).to.equal(true);
      expect(placed).to.deep.equal([]);
    });

  it('are those that have blanks, or go on in the next piece', async () => {
    for (const [details, reference] of [
      ['/EREF/INVOICE 2026 17/REMI/x', 'INVOICE 2026 17'],
      ['166?00PAY?20EREF+ABCDEFGHIJKLMNOPQRSTUV?21WXYZ01', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ01'],
    ] as const) {
      const { placed } = await referencesOf(':61:2603020302D1,NTRFNONREF', `:86:${details}`);
      expect(placed).to.deep.equal([reference]);
    }
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
