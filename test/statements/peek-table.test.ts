import { expect } from 'chai';
import { peekTable } from '../../src/statements/table/peek-table.ts';
import { isUnreadable } from '../../src/statements/unreadable.ts';

/** As much of a text as is looked at, in bytes. */
const LOOKED_AT = 262_144;

const HEADER = 'Datum;Betrag;Verwendungszweck;Währung';

/** A file whose character of two bytes lies where what is looked at ends. */
const cutAt = (end: string): Buffer => {
  const before = `${HEADER}${end}2026-03-01;1,00;`;
  const filling = 'x'.repeat(LOOKED_AT - 1 - Buffer.byteLength(before));
  return Buffer.from(`${before}${filling}ü;EUR${end}`);
};

describe('the first rows of a table', () => {
  for (const [name, end] of [
    ['lines', '\n'],
    ['lines of an old Macintosh', '\r'],
  ] as const) {
    it(`are read in the encoding of the file, where a character is cut in two, with ${name}`, async () => {
      const table = await peekTable(cutAt(end), 'csv');
      if (isUnreadable(table)) throw new Error(`${table.field}: ${table.detail}`);
      expect(table.rows[0]?.cells).to.deep.equal(HEADER.split(';'));
    });
  }
});
