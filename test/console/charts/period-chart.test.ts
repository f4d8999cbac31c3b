import { expect } from 'chai';
import fc from 'fast-check';
import { periodChart, type Period } from '../../../src/console/charts/period-chart.ts';
import { pageText } from '../../../src/console/html.ts';

const chart = (periods: readonly Period[], title = 'INR'): Promise<string> =>
  pageText(periodChart({ title, unit: 'INR', periods, table: 'report', key: '0' }));

const HEIGHT = 160;

const rects = (page: string): readonly { readonly y: number; readonly height: number }[] =>
  [...page.matchAll(/y="([^"]+)"\s+width="[^"]+"\s+height="([^"]+)"/g)].map(([, y, height]) => ({
    y: Number(y),
    height: Number(height),
  }));

const cents = (amount: number): string => (amount / 100).toFixed(2).replace(/\.?0+$/, '');

const periods = fc.array(fc.tuple(fc.nat(10 ** 9), fc.nat(10 ** 9)), { minLength: 1, maxLength: 40 }).map((amounts) =>
  amounts.map(([settled, open], i): Period => ({
    label: `day-${i}`,
    asked: cents(settled + open),
    parts: [
      { phase: 'settled', amount: cents(settled) },
      { phase: 'open', amount: cents(open) },
    ],
    href: null,
    unfinished: false,
  })),
);

describe('a chart of periods', () => {
  it('stacks what there is within its height, a pixel of whatever is not nothing', async () => {
    await fc.assert(
      fc.asyncProperty(periods, async (all) => {
        const drawn = rects(await chart(all));
        expect(drawn).to.have.length(all.flatMap(({ parts }) => parts.filter(({ amount }) => amount !== '0')).length);
        for (const { y, height } of drawn) {
          expect(height).to.be.within(1, HEIGHT);
          // The least pixel of a part may stand out above the tallest bar.
          expect(y).to.be.within(-2, HEIGHT - 1);
        }
      }),
    );
  });

  it('says exact amounts, and leads to the orders of each period that has any', async () => {
    const asked = '12345678901234567890.000000000000000001';
    const period: Period = {
      label: '2026-01-31',
      asked,
      parts: [{ phase: 'settled', amount: asked }],
      href: '/console/orders?from=2026-01-31&to=2026-01-31',
      unfinished: false,
    };
    const page = await chart([period, { label: '2026-02-01', asked: '0', parts: [], href: null, unfinished: false }]);
    expect(page).to.include(`2026-01-31: ${asked} INR`).and.to.include(`Settled ${asked}`);
    expect(page.match(/<a /g)).to.have.length(1);
    expect(page).to.include('href="/console/orders?from=2026-01-31&amp;to=2026-01-31"');
    expect(page).to.include('data-periods="2026-01-31 2026-02-01"');
  });

  it('is nothing without periods, flat without amounts, and holds hostile text as text', async () => {
    expect((await chart([])).trim()).to.equal('');
    const page = await chart(
      [{ label: 'x', asked: '0', parts: [{ phase: 'open', amount: '0' }], href: null, unfinished: false }],
      '<b>"',
    );
    expect(rects(page)).to.deep.equal([]);
    expect(page).to.include('&lt;b&gt;&quot;').and.not.to.include('<b>');
  });

  it('veils what is not over yet, says so, and nothing else', async () => {
    const of = (label: string, unfinished: boolean): Period => ({
      label,
      asked: '5',
      parts: [{ phase: 'open', amount: '5' }],
      href: null,
      unfinished,
    });
    const page = await chart([of('2026-01-30', false), of('2026-01-31', true)]);
    expect(page.match(/fill="url\(#veil-report-0\)"/g)).to.have.length(1);
    expect(page)
      .to.include('data-unfinished="2026-01-31"')
      .and.to.include('2026-01-31, not over yet: 5 INR')
      .and.to.include('2026-01-30: 5 INR');
    expect(await chart([of('2026-01-30', false)]))
      .to.include('data-unfinished=""')
      .and.not.to.include('fill="url');
  });
});
