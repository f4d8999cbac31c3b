import { expect } from 'chai';
import * as fc from 'fast-check';
import { branded } from '../../../src/domain/brand.ts';
import type { Decimal } from '../../../src/domain/decimal.ts';
import { exactOf, parseExact, plainText, plus, ZERO, type Exact } from '../../../src/domain/exact.ts';
import {
  buildReport,
  GROUP_KEYS,
  measuresGroup,
  type Facet,
  type GroupKey,
  type Measures,
  type Report,
  type ReportCell,
  type ReportRow,
  type ReportSums,
} from '../../../projections/report/index.ts';
import { flows } from '../../support/arbitraries.ts';
import { reportCells } from '../../support/report-cells.ts';

const exact = (text: string): Exact => exactOf(branded<Decimal>(text));

const FACET: Facet = {
  flow: 'onramp',
  status: 'completed',
  phase: 'settled',
  currency: 'INR',
  symbol: 'USDT',
  address: '0xdAc1',
  chainId: branded<Decimal>('137'),
  lasting: [],
  clock: null,
};

const cell = (facet: Partial<Facet> = {}, measures: Partial<Measures> = {}, period = '2026-01-31'): ReportCell => ({
  period,
  facet: { ...FACET, ...facet },
  measures: { ...measuresGroup.empty, orders: 1, ...measures },
});

const EXPIRED = { status: 'expired', phase: 'expired' } as const;

const inverse = (it: ReportCell): ReportCell => ({ ...it, measures: measuresGroup.inverse(it.measures) });

const onRamp = (groupBy: readonly GroupKey[], cells: readonly ReportCell[]): Report =>
  buildReport('onramp', groupBy, cells);

const keys = ({ day, month, currency, token, chainId }: ReportRow): string =>
  [day, month, currency, token, chainId].filter((key) => key !== undefined).join(' ');

const only = <A>(items: readonly A[]): A => {
  const [first] = items;
  if (first === undefined || items.length > 1) throw new Error(`expected one, got ${items.length}`);
  return first;
};

const PARTS = ['settled', 'refunded', 'refunding', 'expired', 'deemed', 'failed', 'open'] as const;

/** Sums of rows, computed from what they show. */
const total = (rows: readonly ReportSums[]): object => {
  const add = (texts: readonly string[]): string =>
    plainText(texts.map((text) => parseExact(text) ?? ZERO).reduce(plus, ZERO));
  const count = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
  const statuses = [...new Set(rows.flatMap(({ byStatus }) => [...byStatus.keys()]))].toSorted();
  const lines = rows.flatMap(({ tokens }) => tokens);
  const lineKey = ({ address, chainId }: (typeof lines)[number]): string => `${address.toLowerCase()} ${chainId}`;
  return {
    orders: count(rows.map(({ orders }) => orders)),
    byStatus: statuses.map((status) => [status, count(rows.map(({ byStatus }) => byStatus.get(status) ?? 0))]),
    fiat: Object.fromEntries(
      (['asked', ...PARTS] as const).map((part) => [part, add(rows.map(({ fiat }) => fiat[part]))]),
    ),
    tokens: [...new Set(lines.map(lineKey))].toSorted().map((key) => {
      const its = lines.filter((line) => lineKey(line) === key);
      return {
        key,
        symbol: its.map(({ symbol }) => symbol).toSorted()[0],
        address: its.map(({ address }) => address).toSorted()[0],
        amount: add(its.map(({ amount }) => amount)),
        baseUnits: add(its.map(({ baseUnits }) => baseUnits ?? '0')),
      };
    }),
    commission: add(rows.map(({ commission }) => commission)),
    tds: add(rows.map(({ tds }) => tds)),
    anomalies: count(rows.map(({ anomalies }) => anomalies)),
  };
};

const groupings: fc.Arbitrary<readonly GroupKey[]> = fc.subarray([...GROUP_KEYS]);

const questions = flows.chain((flow) => fc.tuple(fc.constant(flow), reportCells(flow), groupings));

describe('buildReport', () => {
  it('takes addresses for one by the case of ASCII letters alone', () => {
    const spelled = ['pair', 'PAIR', 'Kite', 'kite', '\u212Aite'];
    const { totals } = onRamp(
      [],
      spelled.map((address) => cell({ address }, { tokenAmount: exact('1') })),
    );
    expect(
      only(totals)
        .tokens.map(({ amount }) => amount)
        .toSorted(),
    ).to.deep.equal(['1', '2', '2']);
  });

  it('shows the sums of a row', () => {
    const { rows, totals } = onRamp(
      [],
      [
        cell(
          {},
          {
            orders: 2,
            fiat: exact('150.50'),
            tokenAmount: exact('3'),
            baseUnits: exact('3000000'),
            commission: exact('1.10'),
            ratedAmount: exact('3'),
            rateWeight: exact('271.00'),
          },
        ),
        cell({ ...EXPIRED, lasting: ['fact-changed'] }, { fiat: exact('0.5') }),
        cell({ status: 'onHold', phase: 'open', clock: 'overdue' }, { fiat: exact('7') }),
      ],
    );
    expect(rows).to.deep.equal([
      {
        currency: 'INR',
        orders: 4,
        byStatus: new Map([
          ['completed', 2],
          ['expired', 1],
          ['onHold', 1],
        ]),
        fiat: {
          asked: '158',
          settled: '150.5',
          refunded: '0',
          refunding: '0',
          expired: '0.5',
          deemed: '0',
          failed: '0',
          open: '7',
        },
        tokens: [
          {
            symbol: 'USDT',
            address: '0xdAc1',
            chainId: '137',
            amount: '3',
            baseUnits: '3000000',
            averageConversionRate: '90.3333333333',
          },
        ],
        commission: '1.1',
        tds: '0',
        anomalies: 1,
      },
    ]);
    expect(totals).to.deep.equal(rows);
  });

  it('has neither base units nor a rate for the off-ramp', () => {
    const sold: ReportCell = cell(
      { flow: 'offramp', status: 'PayoutSuccess' },
      { tokenAmount: exact('5'), tds: exact('0.10') },
    );
    const row = only(buildReport('offramp', [], [sold]).rows);
    expect(row.tds).to.equal('0.1');
    expect(only(row.tokens)).to.include({ amount: '5', baseUnits: null, averageConversionRate: null });
  });

  it('has no rate where no order has both an amount and a rate', () => {
    expect(only(only(onRamp([], [cell()]).rows).tokens).averageConversionRate).to.equal(null);
  });

  it('leaves cells of the other flow out', () => {
    expect(onRamp([], [cell({ flow: 'offramp', status: 'PayoutSuccess' })])).to.deep.equal({ rows: [], totals: [] });
  });

  it('keeps currencies apart whatever it is grouped by', () => {
    const { rows, totals } = onRamp(
      [],
      [cell({ currency: 'USD' }), cell({ currency: 'EUR' }), cell({ currency: 'INR' })],
    );
    expect([rows.map(keys), totals.map(({ currency }) => currency)]).to.deep.equal([
      ['EUR', 'INR', 'USD'],
      ['EUR', 'INR', 'USD'],
    ]);
  });

  it('orders rows by day, month, currency, token and the number of the chain', () => {
    const chain = (id: string): Partial<Facet> => ({ chainId: branded<Decimal>(id) });
    const cells = [
      cell({}, {}, '2026-02-01'),
      cell({ ...chain('9') }),
      cell({ ...chain('80001') }),
      cell({ ...chain('137') }),
      cell({ symbol: 'MATIC' }),
      cell({ currency: 'EUR', symbol: 'ZRX' }),
      cell({}, {}, '2025-12-31'),
    ];
    expect(onRamp(['chain', 'token', 'day', 'month'], cells).rows.map(keys)).to.deep.equal([
      '2025-12-31 2025-12 INR USDT 137',
      '2026-01-31 2026-01 EUR ZRX 137',
      '2026-01-31 2026-01 INR MATIC 137',
      '2026-01-31 2026-01 INR USDT 9',
      '2026-01-31 2026-01 INR USDT 137',
      '2026-01-31 2026-01 INR USDT 80001',
      '2026-02-01 2026-02 INR USDT 137',
    ]);
    expect(onRamp(['month'], cells).rows.map(keys)).to.deep.equal([
      '2025-12 INR',
      '2026-01 EUR',
      '2026-01 INR',
      '2026-02 INR',
    ]);
  });

  it('takes months as periods', () => {
    expect(onRamp(['month'], [cell({}, {}, '2026-01'), cell({}, {}, '2026-01')]).rows.map(keys)).to.deep.equal([
      '2026-01 INR',
    ]);
  });

  it('has a line for each address without case and each chain, in the lowest spelling', () => {
    const cells = [
      cell({ address: '0xdAc1', symbol: 'USDT' }),
      cell({ address: '0xDAC1', symbol: 'USDt' }),
      cell({ address: '0xdac1', symbol: 'Tether' }),
      cell({ address: '0xdac1', chainId: branded<Decimal>('9') }),
      cell({ address: '0xA0b8' }),
      cell({ address: '0x0001', ...EXPIRED }),
    ];
    const shown = only(onRamp([], cells).rows).tokens.map(({ address, symbol, chainId }) => [address, symbol, chainId]);
    expect(shown).to.deep.equal([
      ['0xA0b8', 'USDT', '137'],
      ['0xdac1', 'USDT', '9'],
      ['0xDAC1', 'Tether', '137'],
    ]);
  });

  it('has a row for each symbol without the case of ASCII letters, as the list of its orders has, in the lowest spelling', () => {
    const cells = [
      cell({ symbol: 'Usdt' }),
      cell({ symbol: 'usdt', address: '0x0001' }),
      cell({ symbol: 'USDT', ...EXPIRED }),
      cell({ symbol: 'AAA' }),
      cell({ symbol: 'aaa' }),
      cell({ symbol: 'ſdt' }),
      cell({ symbol: 'sdt' }),
    ];
    const rowsOf = (of: readonly ReportCell[]) =>
      onRamp(['token'], of).rows.map(({ token, orders }) => [token, orders]);
    expect(rowsOf(cells)).to.deep.equal([
      ['AAA', 2],
      ['USDT', 3],
      ['sdt', 1],
      ['ſdt', 1],
    ]);
    expect(rowsOf([...cells, inverse(cell({ symbol: 'AAA' }))])).to.deep.include(['aaa', 1]);
  });

  it('orders statuses by their code units, any text among them', () => {
    const statuses = ['__proto__', 'completed', 'Zeta', 'onHold', 'É'];
    const { rows } = onRamp(
      [],
      statuses.toReversed().map((status) => cell({ status, phase: 'open' })),
    );
    expect([...only(rows).byStatus.keys()]).to.deep.equal(['Zeta', '__proto__', 'completed', 'onHold', 'É']);
  });

  it('keeps no trace of what cancels out: row, line, status or spelling', () => {
    const gone = [
      cell({ address: '0xDAC1', symbol: 'AAA' }, { tokenAmount: exact('1') }),
      cell({ address: '0x0000' }, { baseUnits: exact('1') }),
      cell({ currency: 'EUR' }, { fiat: exact('1.10') }),
      cell({ ...EXPIRED, lasting: ['fact-changed'] }, { fiat: exact('5') }),
      cell({}, { fiat: exact('3') }, '2026-01-01'),
    ];
    const left = [cell({}, { fiat: exact('2.00') })];
    for (const groupBy of [[], ['day'], ['token', 'chain']] as const) {
      expect(onRamp(groupBy, [...gone, ...left, ...gone.map(inverse)])).to.deep.equal(onRamp(groupBy, left));
    }
    expect(onRamp(['day'], [...gone, ...gone.map(inverse)])).to.deep.equal({ rows: [], totals: [] });
  });

  it('has one row for one set of keys, with no order lost', () => {
    fc.assert(
      fc.property(questions, ([flow, cells, groupBy]) => {
        const { rows } = buildReport(flow, groupBy, cells);
        expect(new Set(rows.map(keys)).size).to.equal(rows.length);
        expect(rows.reduce((sum, { orders }) => sum + orders, 0)).to.equal(
          cells.reduce((sum, { measures }) => sum + measures.orders, 0),
        );
      }),
    );
  });

  it('asks for the sum of the parts', () => {
    fc.assert(
      fc.property(questions, ([flow, cells, groupBy]) => {
        const { rows, totals } = buildReport(flow, groupBy, cells);
        for (const { fiat } of [...rows, ...totals]) {
          const parts = PARTS.map((part) => parseExact(fiat[part]) ?? ZERO);
          expect(fiat.asked).to.equal(plainText(parts.reduce(plus)));
        }
      }),
    );
  });

  it('totals what its rows show, and rows by day come to the report without grouping', () => {
    fc.assert(
      fc.property(questions, ([flow, cells, groupBy]) => {
        const { rows, totals } = buildReport(flow, groupBy, cells);
        expect(totals).to.deep.equal(buildReport(flow, [], cells).rows);
        for (const shown of totals) {
          expect(total(rows.filter(({ currency }) => currency === shown.currency))).to.deep.equal(total([shown]));
        }
      }),
    );
  });

  it('does not depend on the order of cells, nor on how they are cut', () => {
    const shuffled = questions.chain(([flow, cells, groupBy]) => {
      // In the place of a cell the same one twice, an equal facet among them, and once taken out.
      const cut = cells.flatMap((it) => [it, { ...it, facet: { ...it.facet } }, inverse(it)]);
      return fc.tuple(
        fc.constant(buildReport(flow, groupBy, cells)),
        fc.shuffledSubarray(cut, { minLength: cut.length }),
        fc.constant([flow, groupBy] as const),
      );
    });
    fc.assert(
      fc.property(shuffled, ([report, cells, [flow, groupBy]]) => {
        expect(buildReport(flow, groupBy, cells)).to.deep.equal(report);
      }),
    );
  });
});
