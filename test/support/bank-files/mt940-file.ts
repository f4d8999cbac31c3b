import { ACCOUNT, closingOf, OPENING, type Booking } from './booking.ts';

const short = (day: string): string => day.slice(2).replaceAll('-', '');
const entry = (day: string): string => day.slice(5).replace('-', '');
const comma = (amount: string): string => amount.replace('-', '').replace('.', ',');

/** How a bank writes MT940. */
export type Mt940Dialect = {
  readonly start?: string;
  readonly end?: string;
  readonly eol?: string;
  readonly account?: string;
  /** The tag of the statement's number. */
  readonly number?: string;
  /** What stands between mark and amount. */
  readonly funds?: string;
  readonly amount?: (amount: string) => string;
  readonly type?: string;
  readonly reference?: (booking: Booking) => string;
  /** The lines of field 86; null for none. */
  readonly details?: (booking: Booking) => readonly string[] | null;
  /** Whether booking and value date are told apart. */
  readonly entryDates?: boolean;
  /** Lines behind field 61 and behind the balances. */
  readonly supplement?: string;
  readonly behind?: readonly string[];
};

const mark = ({ direction, reversal }: Booking): string =>
  reversal ? (direction === 'out' ? 'RC' : 'RD') : direction === 'in' ? 'C' : 'D';

/** A statement of bookings as a bank of that dialect writes it. */
export const mt940File = (bookings: readonly Booking[], dialect: Mt940Dialect = {}): string => {
  const { eol = '\r\n', start = '', end = '-', funds = '', type = 'NTRF', entryDates = true } = dialect;
  const amount = dialect.amount ?? comma;
  const reference = dialect.reference ?? ((booking: Booking) => `NONREF//${booking.reference}`);
  const details = dialect.details ?? ((booking: Booking) => [booking.text]);
  const entries = bookings.flatMap((booking) => {
    const said = details(booking);
    const dates = short(booking.valueOn) + (entryDates ? entry(booking.bookedOn) : '');
    return [
      `:61:${dates}${mark(booking)}${funds}${amount(booking.amount)}${type}${reference(booking)}`,
      ...(dialect.supplement === undefined ? [] : [dialect.supplement]),
      ...(said === null ? [] : [`:86:${said[0] ?? ''}`, ...said.slice(1)]),
    ];
  });
  const closing = closingOf(bookings);
  const lines = [
    ':20:STARTUMS',
    `:25:${dialect.account ?? ACCOUNT}`,
    `:28${dialect.number ?? 'C'}:1/1`,
    `:60F:C260226EUR${amount(OPENING)}`,
    ...entries,
    `:62F:${closing.startsWith('-') ? 'D' : 'C'}260303EUR${amount(closing)}`,
    ...(dialect.behind ?? []),
    ...(end === '' ? [] : [end]),
  ];
  return start + lines.join(eol) + eol;
};
