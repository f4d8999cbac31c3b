import { ACCOUNT, closingOf, OPENING, type Booking } from './booking.ts';

/** How a bank writes camt.053. */
export type CamtDialect = {
  readonly version?: string;
  readonly prefix?: string;
  readonly declaration?: string;
  /** What is around the document. */
  readonly envelope?: (document: string) => string;
  readonly account?: string;
  readonly currency?: string;
  readonly status?: string;
  readonly date?: (day: string) => string;
  readonly amount?: (amount: string) => string;
  readonly details?: (booking: Booking) => string;
  readonly entries?: string;
  readonly opening?: string;
  readonly blanks?: boolean;
};

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const detailed = ({ reference, text }: Booking): string =>
  `<NtryDtls><TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs><RmtInf><Ustrd>${escaped(text)}</Ustrd></RmtInf></TxDtls></NtryDtls>`;

/** A statement of bookings as a bank of that dialect writes it. */
export const camtFile = (bookings: readonly Booking[], dialect: CamtDialect = {}): string => {
  const { version = '02', status = 'BOOK', opening = 'OPBD' } = dialect;
  const date = dialect.date ?? ((day: string) => `<Dt>${day}</Dt>`);
  const amount = dialect.amount ?? ((text: string) => text);
  const details = dialect.details ?? detailed;
  const balance = (code: string, value: string, day: string): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount(value.replace('-', ''))}</Amt>` +
    `<CdtDbtInd>${value.startsWith('-') ? 'DBIT' : 'CRDT'}</CdtDbtInd><Dt>${date(day)}</Dt></Bal>`;
  const entries = bookings.map(
    (booking) =>
      `<Ntry><Amt Ccy="EUR">${amount(booking.amount)}</Amt><CdtDbtInd>${booking.direction === 'in' ? 'CRDT' : 'DBIT'}</CdtDbtInd>` +
      (booking.reversal ? '<RvslInd>true</RvslInd>' : '') +
      `<Sts>${status}</Sts><BookgDt>${date(booking.bookedOn)}</BookgDt><ValDt>${date(booking.valueOn)}</ValDt>` +
      `<BkTxCd/>${details(booking)}</Ntry>`,
  );
  const statement =
    `<BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId></GrpHdr><Stmt><Id>S1</Id>` +
    `<FrToDt><FrDtTm>2026-02-27T00:00:00</FrDtTm><ToDtTm>2026-03-03T23:59:59+01:00</ToDtTm></FrToDt>` +
    `<Acct>${dialect.account ?? `<Id><IBAN>${ACCOUNT}</IBAN></Id>`}${dialect.currency ?? '<Ccy>EUR</Ccy>'}</Acct>` +
    `${balance(opening, OPENING, '2026-02-26')}${balance('CLBD', closingOf(bookings), '2026-03-03')}` +
    `${entries.join('')}${dialect.entries ?? ''}</Stmt></BkToCstmrStmt>`;
  const document = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}">${statement}</Document>`;
  const { prefix } = dialect;
  const prefixed =
    prefix === undefined
      ? document
      : document.replace('xmlns=', `xmlns:${prefix}=`).replace(/<(\/?)([A-Z])/g, `<$1${prefix}:$2`);
  const shown = dialect.blanks === true ? prefixed.replaceAll('><', '>\r\n\t<') : prefixed;
  return (dialect.declaration ?? '<?xml version="1.0" encoding="UTF-8"?>') + (dialect.envelope?.(shown) ?? shown);
};
