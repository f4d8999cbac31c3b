/** A page as it is shown in the documentation. */
export type Picture = {
  readonly file: string;
  readonly path: string;
  readonly theme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
};

const WIDE = { width: 1_280, height: 960 };
const NARROW = { width: 390, height: 844 };

/** `retried`: an off-ramp order whose payout was tried twice. */
export const pictures = (retried: string): readonly Picture[] => {
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
  ];
};
