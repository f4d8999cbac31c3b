import { ACCOUNT, closingOf, type Booking } from './booking.ts';

/** How a bank writes OFX. */
export type OfxDialect = {
  readonly xml?: boolean;
  /** Whether the header of XML stands above SGML. */
  readonly mixed?: boolean;
  /** Whether elements with a text are closed too. */
  readonly closed?: boolean;
  readonly eol?: string;
  readonly card?: boolean;
  readonly amount?: (amount: string) => string;
  readonly time?: string;
};

const SGML_HEADER = 'OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nENCODING:USASCII\r\nCHARSET:1252\r\n\r\n';
const XML_HEADER = '<?xml version="1.0" encoding="UTF-8"?><?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE"?>';

/** A statement of bookings, which OFX knows the booking days of, as a bank of that dialect writes it. */
export const ofxFile = (bookings: readonly Booking[], dialect: OfxDialect = {}): string => {
  const { xml = false, mixed = false, card = false, eol = '\n', time = '' } = dialect;
  const closes = xml || dialect.closed === true;
  const amount = dialect.amount ?? ((text: string) => text);
  const leaf = (name: string, text: string): string => `<${name}>${text}${closes ? `</${name}>` : ''}${eol}`;
  const group = (name: string, ...parts: readonly string[]): string =>
    `<${name}>${eol}${parts.join('')}</${name}>${eol}`;
  const day = (text: string): string => text.replaceAll('-', '') + time;
  const entries = bookings.map((booking) =>
    group(
      'STMTTRN',
      leaf('TRNTYPE', booking.direction === 'in' ? 'CREDIT' : 'DEBIT'),
      leaf('DTPOSTED', day(booking.bookedOn)),
      leaf('TRNAMT', amount(`${booking.direction === 'in' ? '' : '-'}${booking.amount}`)),
      leaf('FITID', booking.reference),
      leaf('NAME', booking.text),
    ),
  );
  const statement = group(
    card ? 'CCSTMTRS' : 'STMTRS',
    leaf('CURDEF', 'EUR'),
    group(card ? 'CCACCTFROM' : 'BANKACCTFROM', ...(card ? [] : [leaf('BANKID', '37040044')]), leaf('ACCTID', ACCOUNT)),
    group('BANKTRANLIST', leaf('DTSTART', '20260227'), leaf('DTEND', '20260303'), ...entries),
    group('LEDGERBAL', leaf('BALAMT', amount(closingOf(bookings))), leaf('DTASOF', '20260303')),
  );
  return (
    (xml || mixed ? XML_HEADER : SGML_HEADER) +
    group('OFX', group('BANKMSGSRSV1', group('STMTTRNRS', leaf('TRNUID', '0'), statement)))
  );
};
