import { expect } from 'chai';
import { readStatementFile } from '../../src/statements/read-statement-file.ts';
import { isUnreadable } from '../../src/statements/unreadable.ts';

const READING = { format: 'mt940', profile: null, account: null, currency: null } as const;

/** A statement with such balances, of such fields between them; a balance that is left out is not there. */
const statement = (between: readonly string[], opening = '', closing = ''): Buffer =>
  Buffer.from(
    [
      ':20:X',
      ':25:ACC',
      ':28C:1/1',
      ...(opening === '' ? [] : [`:60F:${opening}`]),
      ...between,
      ...(closing === '' ? [] : [`:62F:${closing}`]),
      '-',
      '',
    ].join('\n'),
  );

/** What a statement of one account says, or the field for which it is refused. */
const read = async (between: readonly string[], opening = '', closing = 'C260302EUR0,') => {
  const statements = await readStatementFile(statement(between, opening, closing), READING);
  return isUnreadable(statements) ? statements.field : (statements[0] ?? expect.fail('there is no statement'));
};

const entries = async (...between: readonly string[]) => {
  const found = await read(between);
  return typeof found === 'string' ? found : [...found.lines];
};

describe('entries of MT940', () => {
  it('came in or went out by their marks, also those that take another back', async () => {
    const lines = await entries(
      ...['C', 'D', 'RC', 'RD', ' C ', 'DR', 'CN'].map((mark) => `:61:2603020302${mark}1,NTRFNONREF`),
    );
    if (typeof lines === 'string') expect.fail(lines);
    expect(lines.map(({ direction, reversal }) => `${direction}${reversal ? ' again' : ''}`)).to.deep.equal([
      'in',
      'out',
      'out again',
      'in again',
      'in',
      'out',
      'in',
    ]);
  });

  it('are none that are expected only', async () => {
    const lines = await entries(
      ':61:2603020302EC1,NTRFNONREF',
      ':61:2603020302ED2,NTRFNONREF',
      ':61:2603020302D3,NTRFNONREF',
    );
    if (typeof lines === 'string') expect.fail(lines);
    expect(lines.map(({ amount }) => amount)).to.deep.equal(['3']);
  });

  it('are booked on their entry date, in the year next to the value date, else on the value date', async () => {
    const days = {
      '260302C1,': '2026-03-02 2026-03-02',
      '2603020305C1,': '2026-03-05 2026-03-02',
      '260302260305C1,': '2026-03-05 2026-03-02',
      '2512310102C1,': '2026-01-02 2025-12-31',
      '2601021231C1,': '2025-12-31 2026-01-02',
      '9912310101C1,': '2000-01-01 1999-12-31',
      '8001010101C1,': '1980-01-01 1980-01-01',
      '7901010101C1,': '2079-01-01 2079-01-01',
      '2602300230C1,': '2026-02-28 2026-02-28',
      '2602290229C1,': '2026-02-28 2026-02-28',
      '2402300230C1,': '2024-02-29 2024-02-29',
      '2603010901C1,': '2025-09-01 2026-03-01',
      '2603010831C1,': '2026-08-31 2026-03-01',
    };
    for (const [text, expected] of Object.entries(days)) {
      const lines = await entries(`:61:${text}NTRFNONREF`);
      if (typeof lines === 'string') expect.fail(`${text}: ${lines}`);
      expect(
        lines.map(({ bookedOn, valueOn }) => `${bookedOn} ${valueOn}`),
        text,
      ).to.deep.equal([expected]);
    }
  });

  it('have the amount that is written, with a comma, a point or neither', async () => {
    for (const [text, amount] of [
      ['1,', '1'],
      ['1,50', '1.50'],
      [',5', '0.5'],
      ['0012,05', '12.05'],
      ['7.25', '7.25'],
      ['9', '9'],
      ['123456789012345,67', '123456789012345.67'],
    ]) {
      const lines = await entries(`:61:2603020302C${text ?? ''}NTRFNONREF`);
      if (typeof lines === 'string') expect.fail(`${text ?? ''}: ${lines}`);
      expect(lines.map((line) => line.amount)).to.deep.equal([amount]);
    }
  });

  it('refuse the file where one can not be read', async () => {
    const wrong = [
      '2613020302C1,NTRFNONREF',
      '2603321C1,NTRFNONREF',
      '260231C1,NTRFNONREF',
      '260431C1,NTRFNONREF',
      '2604300431C1,NTRFNONREF',
      '2603021332C1,NTRFNONREF',
      '260302260332C1,NTRFNONREF',
      '2603020302X1,NTRFNONREF',
      '2603020302C,NTRFNONREF',
      '2603020302CNTRFNONREF',
      '2603020302C1,2,3NTRFNONREF',
      '2603020302C-1,NTRFNONREF',
      'nonsense',
    ];
    for (const text of wrong) expect(await entries(`:61:${text}`), text).to.equal(':61:');
  });

  it('are named by field 61 and what stands below it, as one word with a digit', async () => {
    const references = async (...field: readonly string[]) => {
      const lines = await entries(`:61:2603020302C1,NTRF${field[0] ?? ''}`, ...field.slice(1));
      if (typeof lines === 'string') return expect.fail(lines);
      return lines.map((line) => ({ references: line.references, text: line.text }));
    };
    expect(await references('PAY1234//BANK/9', 'WORD1234')).to.deep.equal([
      { references: ['PAY1234', 'BANK/9', 'WORD1234'], text: 'WORD1234' },
    ]);
    expect(await references('NONREF', 'TWO WORDS12')).to.deep.equal([{ references: [], text: 'TWO WORDS12' }]);
    expect(await references('NONREF', 'NODIGITS')).to.deep.equal([{ references: [], text: 'NODIGITS' }]);
    expect(await references('NONREF', ':86:A TEXT')).to.deep.equal([{ references: [], text: 'A TEXT' }]);
    expect(await references('NONREF', 'BELOW', ':86:A TEXT')).to.deep.equal([{ references: [], text: 'A TEXT BELOW' }]);
  });

  it('keep the fields as they came', async () => {
    const fields = [':61:2603020302C1,NTRFNONREF//B1', 'below', ':86:first', 'second'];
    const lines = await entries(...fields);
    if (typeof lines === 'string') expect.fail(lines);
    expect(lines.map(({ raw }) => raw)).to.deep.equal([fields.join('\n')]);
  });
});

describe('balances of MT940', () => {
  const one = [':61:2603020302C100,NTRFNONREF'];
  const told = async (opening: string, closing: string) => {
    const found = await read(one, opening, closing);
    return typeof found === 'string' ? found : [found.currency, found.opening, found.closing];
  };

  it('are negative where the account was overdrawn, on either side', async () => {
    expect(await told('D260301EUR150,00', 'D260302EUR50,00')).to.deep.equal(['EUR', '-150.00', '-50.00']);
    expect(await told('D260301EUR40,', 'C260302EUR60,')).to.deep.equal(['EUR', '-40', '60']);
    expect(await told('C260301EUR150,00', 'C260302EUR50,00')).to.equal(':62F:');
    expect(await told('C260301EUR40,', 'C260302EUR60,')).to.equal(':62F:');
  });

  it('may have no day, a day of eight digits, and blanks', async () => {
    expect(await told('C000000EUR0,', 'C260302EUR100,')).to.deep.equal(['EUR', '0', '100']);
    expect(await told(' C 20260301 EUR 0, ', 'C260302EUR100,')).to.deep.equal(['EUR', '0', '100']);
  });

  it('refuse the file where one of them can not be read', async () => {
    for (const wrong of ['X260301EUR0,', 'C261301EUR0,', 'C260301EUX0,', 'C260301EUR', 'C260301EUR1,2,3', 'C1', '']) {
      if (wrong !== '') expect(await told(wrong, 'C260302EUR100,'), `opening ${wrong}`).to.equal(':60F:');
      if (wrong !== '') expect(await told('C260301EUR0,', wrong), `closing ${wrong}`).to.equal(':62F:');
    }
  });
});
