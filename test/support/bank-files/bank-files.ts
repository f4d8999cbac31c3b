import { latin1, utf16, type BankFile } from './bank-file.ts';
import { ACCOUNT, BOOKINGS, type Booking } from './booking.ts';
import { camtFile, type CamtDialect } from './camt-file.ts';
import { mt940File, type Mt940Dialect } from './mt940-file.ts';
import { ofxFile, type OfxDialect } from './ofx-file.ts';

const ALL = { values: true, reversals: true, balances: true };

const pieces = (text: string, width: number): readonly string[] =>
  text.match(new RegExp(`.{1,${String(width)}}`, 'g')) ?? [''];

/** Field 86 as German banks fill it, behind a character of their choice. */
const german =
  (separator: string, purpose: (booking: Booking) => string) =>
  (booking: Booking): readonly string[] => {
    const parts = pieces(purpose(booking), 27).map((piece, at) => `${separator}${String(20 + at)}${piece}`);
    return pieces(
      `166${separator}00GUTSCHRIFT${separator}109301${parts.join('')}${separator}30COBADEFFXXX${separator}32Max Mustermann`,
      65,
    );
  };

const slashed = ({ reference, text }: Booking): readonly string[] =>
  pieces(`/EREF/${reference}//CNTP/NL91ABNA0417164300/ABNANL2A/J JANSEN///REMI/USTD//${text}/`, 65);

const MT940: readonly (readonly [string, Mt940Dialect])[] = [
  ['as the standard writes it', {}],
  ['with line feeds alone', { eol: '\n' }],
  ['with carriage returns alone', { eol: '\r' }],
  ['in SWIFT blocks', { start: '{1:F01INGBNL2ABXXX0000000000}\r\n{2:I940INGBNL2AXXXN}\r\n{4:\r\n', end: '-}' }],
  [
    'in SWIFT blocks on one line',
    { start: '{1:F01KNABNL2HAXXX0000000000}{2:I940KNABNL2HXXXXN3020}{4:\r\n', end: '-}' },
  ],
  ['between control characters', { start: '\u0001\r\n', end: '-\u0003' }],
  ['behind a line of its type', { start: ':940:\r\n', end: '' }],
  ['behind lines of a Dutch bank', { start: 'ABNANL2A\r\n940\r\nABNANL2A\r\n' }],
  ['with @@ for the ends of lines', { start: '@@', eol: '@@' }],
  ['with the old number field', { number: '' }],
  ['with dashes that begin lines of the details', { details: ({ text }) => [text, '- 12 rue', '-', '-'] }],
  ['with the third letter of the currency', { funds: 'R' }],
  ['with leading zeros', { amount: (text) => text.replace('-', '').replace('.', ',').padStart(15, '0') }],
  ['with a decimal point', { amount: (text) => text.replace('-', '') }],
  ['with a type in digits', { type: 'N051', reference: ({ reference }) => reference }],
  ['with the reference of the customer', { reference: ({ reference }) => `${reference}//0724710345313905` }],
  ['with German fields', { details: german('?', ({ reference, text }) => `EREF+${reference.padEnd(22)}SVWZ+${text}`) }],
  [
    'with German fields of one reference each',
    { reference: () => 'NONREF', details: german('?', ({ reference }) => `EREF+${reference}`) },
  ],
  ['with German fields behind another character', { details: german('<', ({ text }) => text) }],
  ['with Polish fields', { details: german('~', ({ text }) => text) }],
  ['with words between slashes', { reference: () => 'EREF', details: slashed }],
  ['with a supplement', { supplement: '/TRCD/00100/' }],
  ['with text in several lines', { details: ({ text }) => [text, 'and more of it', 'and more'] }],
  ['with an empty field 86', { details: () => [''] }],
  ['without field 86', { details: () => null }],
  [
    'with available balances and a note',
    { behind: [':64:C260303EUR1,00', ':65:C260304EUR1,00', ':86:note on the statement'] },
  ],
  ['with the currency behind the account', { account: `${ACCOUNT}EUR` }],
];

const batched = (booking: Booking): string =>
  `<NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch>${['no', 'amounts']
    .map(
      (text) =>
        `<TxDtls><Refs><EndToEndId>${booking.reference}</EndToEndId></Refs><AddtlTxInf>${text}</AddtlTxInf></TxDtls>`,
    )
    .join('')}</NtryDtls>`;

const PENDING =
  '<Ntry><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>PDNG</Sts><BookgDt><Dt>2026-03-04</Dt></BookgDt></Ntry>';

const CAMT: readonly (readonly [string, CamtDialect])[] = [
  ['version 02', {}],
  ['version 03', { version: '03' }],
  ['version 04', { version: '04', amount: (text) => text.replace(/0$/, '') }],
  ['version 06', { version: '06' }],
  ['version 08', { version: '08', status: '<Cd>BOOK</Cd>' }],
  ['version 13', { version: '13', status: '<Cd>BOOK</Cd>' }],
  ['with a prefix', { prefix: 'ns2' }],
  [
    'in an envelope',
    { envelope: (document) => `<BizMsgEnvlp><AppHdr><BizMsgIdr>1</BizMsgIdr></AppHdr>${document}</BizMsgEnvlp>` },
  ],
  ['in lines', { blanks: true }],
  ['of an account by another id', { account: `<Id><Othr><Id>${ACCOUNT}</Id></Othr></Id>` }],
  ['without the currency of the account', { currency: '' }],
  ['with times', { date: (day) => `<DtTm>${day}T23:30:00-08:00</DtTm>` }],
  ['with the balance of the day before', { opening: 'PRCD' }],
  ['with pending entries', { entries: PENDING }],
  ['with batches that have no amounts', { details: batched }],
  ['with references of the bank alone', { details: ({ reference }) => `<AcctSvcrRef>${reference}</AcctSvcrRef>` }],
  [
    'with CDATA',
    {
      details: ({ reference, text }) =>
        `<NtryDtls><TxDtls><Refs><InstrId><![CDATA[${reference}]]></InstrId></Refs><AddtlTxInf><![CDATA[${text}]]></AddtlTxInf></TxDtls></NtryDtls>`,
    },
  ],
  [
    'with a reference of the creditor',
    {
      details: ({ reference }) =>
        `<NtryDtls><TxDtls><RmtInf><Strd><CdtrRefInf><Ref>${reference}</Ref></CdtrRefInf></Strd></RmtInf></TxDtls></NtryDtls>`,
    },
  ],
];

const OFX: readonly (readonly [string, OfxDialect])[] = [
  ['1 on lines', {}],
  ['1 on one line', { eol: '' }],
  ['1 with ends everywhere', { closed: true }],
  ['1 with a decimal comma and times', { amount: (text) => text.replace('.', ','), time: '120000.000[-8:PST]' }],
  ['1 of a card', { card: true }],
  ['2', { xml: true }],
  ['with the header of version 2 above the SGML of version 1', { mixed: true }],
];

const COLUMNS = {
  date: 'Booked',
  valueDate: 'Value',
  dateFormat: 'dd/mm/yyyy',
  amount: 'Amount',
  currency: 'Currency',
  reference: ['Reference'],
  text: ['Narration'],
};

const dayFirst = (day: string): string => day.split('-').toReversed().join('/');
const withSign = ({ amount, direction }: Booking): string => (direction === 'in' ? amount : `-${amount}`);
const grouped = (amount: string): string => amount.replace(/\B(?=(\d{3})+(?!\d))/g, ',');

const table = (delimiter: string, header: readonly string[], row: (booking: Booking) => readonly string[]): string =>
  [header, ...BOOKINGS.map(row)]
    .map((cells) => cells.map((cell) => (cell.includes(delimiter) ? `"${cell}"` : cell)).join(delimiter))
    .join('\r\n');

const HEADER = ['Booked', 'Value', 'Narration', 'Reference', 'Amount', 'Currency'];

const row =
  (amount: (booking: Booking) => string, day = dayFirst) =>
  (booking: Booking): readonly string[] => [
    day(booking.bookedOn),
    day(booking.valueOn),
    booking.text,
    booking.reference,
    amount(booking),
    'EUR',
  ];

const directed = (header: string, word: (booking: Booking) => string): string =>
  table(',', [...HEADER, header], (booking) => [...row(({ amount }) => amount)(booking), word(booking)]);

const TWO_COLUMNS = { ...COLUMNS, amount: undefined, credit: 'Credit', debit: 'Debit', currency: 'EUR' };

const twoColumns = table(',', ['Booked', 'Value', 'Narration', 'Reference', 'Debit', 'Credit'], (booking) => [
  dayFirst(booking.bookedOn),
  dayFirst(booking.valueOn),
  booking.text,
  booking.reference,
  booking.direction === 'out' ? grouped(booking.amount) : '',
  booking.direction === 'in' ? grouped(booking.amount) : '',
]);

const comma = table(',', HEADER, row(withSign));

const CSV: readonly (readonly [string, string | Buffer, object])[] = [
  ['with commas', comma, COLUMNS],
  ['with a byte-order mark', `\ufeff${comma}`, COLUMNS],
  ['in Windows-1252', latin1(comma), COLUMNS],
  ['in UTF-16', utf16(comma), COLUMNS],
  [
    'with semicolons and a decimal comma',
    table(
      ';',
      HEADER,
      row((b) => withSign(b).replace('.', ',')),
    ),
    { ...COLUMNS, delimiter: ';', decimal: ',' },
  ],
  [
    'with points between groups',
    table(
      ';',
      HEADER,
      row((b) => grouped(withSign(b)).replace(/[.,]/g, (c) => (c === '.' ? ',' : '.'))),
    ),
    { ...COLUMNS, decimal: ',' },
  ],
  ['with tabs', table('\t', HEADER, row(withSign)), COLUMNS],
  ['with bars', table('|', HEADER, row(withSign)), { ...COLUMNS, delimiter: '|' }],
  ['with credits and debits', twoColumns, TWO_COLUMNS],
  ['with lines before the header', `My Bank\r\nAccount, "1\r\n\r\n${twoColumns}`, { ...TWO_COLUMNS, skipRows: 3 }],
  [
    'with the minus behind',
    table(
      ',',
      HEADER,
      row((b) => `${b.amount}${b.direction === 'in' ? '' : '-'}`),
    ),
    COLUMNS,
  ],
  [
    'with brackets',
    table(
      ',',
      HEADER,
      row((b) => (b.direction === 'in' ? b.amount : `(${b.amount})`)),
    ),
    COLUMNS,
  ],
  [
    'with CR and DR',
    table(
      ',',
      HEADER,
      row((b) => `${grouped(b.amount)} ${b.direction === 'in' ? 'Cr' : 'Dr'}`),
    ),
    COLUMNS,
  ],
  [
    'with the direction in a column',
    directed('Dr / Cr', ({ direction }) => (direction === 'in' ? 'Cr.' : 'Dr.')),
    { ...COLUMNS, direction: 'Dr / Cr' },
  ],
  [
    'with Soll and Haben in a column',
    directed('S/H', ({ direction }) => (direction === 'in' ? 'H' : 'S')),
    { ...COLUMNS, direction: 'S/H' },
  ],
  [
    'with a sign of the currency',
    table(
      ',',
      HEADER,
      row((b) => `${b.direction === 'in' ? '' : '-'}€ ${b.amount}`),
    ),
    COLUMNS,
  ],
  [
    'with the year first',
    table(
      ',',
      HEADER,
      row(withSign, (day) => day),
    ),
    { ...COLUMNS, dateFormat: 'yyyy-mm-dd' },
  ],
  [
    'with days without blanks',
    table(
      ',',
      HEADER,
      row(withSign, (day) => day.replaceAll('-', '')),
    ),
    { ...COLUMNS, dateFormat: 'yyyymmdd' },
  ],
  [
    'with names of months',
    table(
      ',',
      HEADER,
      row(withSign, (day) =>
        day.includes('-02-') ? day.replace(/.*-02-(..)/, '$1-Feb-2026') : day.replace(/.*-03-(..)/, '$1-Mar-2026'),
      ),
    ),
    { ...COLUMNS, dateFormat: 'dd-mmm-yyyy' },
  ],
];

const TABLE = { values: true, reversals: false, balances: false };

/** Files of one and the same bookings in the dialects of banks, written here from the public descriptions of the formats. */
export const BANK_FILES: readonly BankFile[] = [
  ...MT940.map(([name, dialect]) => ({
    name: `MT940 ${name}`,
    format: 'mt940' as const,
    bytes: Buffer.from(mt940File(BOOKINGS, dialect)),
    tells: ALL,
  })),
  { name: 'MT940 in Windows-1252', format: 'mt940', bytes: latin1(mt940File(BOOKINGS)), tells: ALL },
  { name: 'MT940 in UTF-16', format: 'mt940', bytes: utf16(mt940File(BOOKINGS)), tells: ALL },
  ...CAMT.map(([name, dialect]) => ({
    name: `camt.053 ${name}`,
    format: 'camt.053' as const,
    bytes: Buffer.from(camtFile(BOOKINGS, dialect)),
    tells: ALL,
  })),
  {
    name: 'camt.053 in ISO-8859-1',
    format: 'camt.053',
    bytes: latin1(camtFile(BOOKINGS, { declaration: '<?xml version="1.0" encoding="ISO-8859-1"?>' })),
    tells: ALL,
  },
  {
    name: 'camt.053 in UTF-16',
    format: 'camt.053',
    bytes: utf16(camtFile(BOOKINGS, { declaration: '<?xml version="1.0" encoding="UTF-16"?>' })),
    tells: ALL,
  },
  ...OFX.map(([name, dialect]) => ({
    name: `OFX ${name}`,
    format: 'ofx' as const,
    bytes: Buffer.from(ofxFile(BOOKINGS, dialect)),
    tells: { ...TABLE, values: false },
  })),
  ...CSV.map(([name, content, profile]) => ({
    name: `CSV ${name}`,
    format: 'csv' as const,
    bytes: Buffer.from(content),
    profile,
    tells: TABLE,
  })),
];

export { COLUMNS, HEADER };
