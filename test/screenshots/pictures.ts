/** A page as it is shown in the documentation. */
export type Picture = {
  readonly file: string;
  readonly path: string;
  readonly theme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
  /** On the screen where nothing is said. */
  readonly media?: 'print';
};

const WIDE = { width: 1_280, height: 960 };
const NARROW = { width: 390, height: 844 };
/** A sheet of A4 on its side, without its margins, as wide as a browser takes it before it makes anything smaller. */
const PAPER = { width: 1_356, height: 917 };

/**
 * Those of a ledger whose months are open.
 *
 * @param retried an off-ramp order whose payout was tried twice
 * @param month the last whole one, `2026-10`
 */
export const pictures = (retried: string, month: string): readonly Picture[] => {
  const order = `/console/orders/${encodeURIComponent(retried)}`;
  const report = '/console/reports/offramp?groupBy=day&range=all';
  return [
    { file: 'overview.png', path: '/', theme: 'light', ...WIDE },
    { file: 'overview-dark.png', path: '/', theme: 'dark', ...WIDE },
    { file: 'overview-narrow.png', path: '/', theme: 'light', ...NARROW },
    { file: 'orders.png', path: '/console/orders', theme: 'light', ...WIDE },
    { file: 'orders-narrow.png', path: '/console/orders?flow=offramp', theme: 'light', width: 390, height: 1_000 },
    { file: 'order.png', path: order, theme: 'light', ...WIDE },
    { file: 'order-dark.png', path: order, theme: 'dark', ...WIDE },
    { file: 'order-narrow.png', path: order, theme: 'dark', ...NARROW },
    { file: 'event.png', path: `${order}/events/6`, theme: 'light', ...WIDE },
    { file: 'report.png', path: report, theme: 'light', ...WIDE },
    { file: 'report-dark.png', path: report, theme: 'dark', ...WIDE },
    { file: 'reconciliation.png', path: '/console/reconciliation?state=break', theme: 'light', ...WIDE },
    { file: 'reconciliation-narrow.png', path: '/console/reconciliation', theme: 'dark', ...NARROW },
    { file: 'period.png', path: `/console/periods/${month}`, theme: 'light', ...WIDE },
  ];
};

/** The month once it is closed: as a page, and as it is printed. */
export const closedPictures = (month: string): readonly Picture[] => [
  { file: 'period-closed.png', path: `/console/periods/${month}`, theme: 'light', ...WIDE },
  { file: 'period-print.png', path: `/console/periods/${month}/print`, theme: 'light', media: 'print', ...PAPER },
];
