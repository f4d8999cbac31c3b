/** What a bank booked, from which the files of tests are written. Amounts have two decimals and a point. */
export type Booking = {
  readonly bookedOn: string;
  readonly valueOn: string;
  readonly amount: string;
  readonly direction: 'in' | 'out';
  readonly reversal: boolean;
  readonly reference: string;
  readonly text: string;
};

export const ACCOUNT = 'DE89370400440532013000';
export const OPENING = '1000.00';

/** Bookings of a few days, one of them taken back, with dates that part at the end of a month. */
export const BOOKINGS: readonly Booking[] = [
  {
    bookedOn: '2026-02-27',
    valueOn: '2026-03-02',
    amount: '1500.25',
    direction: 'in',
    reversal: false,
    reference: 'AXIS0000123456789012',
    text: 'Payout of order 17',
  },
  {
    bookedOn: '2026-03-02',
    valueOn: '2026-03-02',
    amount: '0.05',
    direction: 'out',
    reversal: false,
    reference: '412345678901',
    text: 'Fee',
  },
  {
    bookedOn: '2026-03-03',
    valueOn: '2026-03-02',
    amount: '1500.25',
    direction: 'out',
    reversal: true,
    reference: 'AXIS0000123456789013',
    text: 'Return of a payout',
  },
  {
    bookedOn: '2026-03-03',
    valueOn: '2026-03-03',
    amount: '120000.00',
    direction: 'in',
    reversal: false,
    reference: 'HDFC0000998877665544',
    text: 'Collection Müller',
  },
];

const cents = (amount: string): number => Math.round(Number(amount) * 100);

/** What the account has behind bookings. */
export const closingOf = (bookings: readonly Booking[]): string =>
  (
    bookings.reduce(
      (sum, { amount, direction }) => sum + (direction === 'in' ? cents(amount) : -cents(amount)),
      cents(OPENING),
    ) / 100
  ).toFixed(2);
