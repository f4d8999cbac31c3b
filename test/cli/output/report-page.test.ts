import { expect } from 'chai';
import { reportPage } from '../../../src/cli/output/report-page.ts';
import { ExactNumber, type JsonObject } from '../../../src/domain/json.ts';

const NO_FIAT = { settled: '0', refunded: '0', refunding: '0', expired: '0', deemed: '0', failed: '0', open: '0' };

const sums = (over: JsonObject, fiat: JsonObject): JsonObject => ({
  currency: 'INR',
  orders: 1,
  byStatus: {},
  fiat: { asked: '0', ...NO_FIAT, ...fiat },
  tokens: [],
  commission: '0',
  tds: '0',
  anomalies: 0,
  ...over,
});

const MATIC = {
  symbol: 'MATIC',
  address: '0xee',
  chainId: new ExactNumber('80001.0'),
  amount: '0.01',
  baseUnits: '10000000000000000',
  averageConversionRate: '90.2',
};

const REPORT: JsonObject = {
  flow: 'onramp',
  basis: 'created',
  timeZone: 'Asia/Kolkata',
  from: '2023-01-01',
  to: '2023-12-31',
  groupBy: ['month'],
  asOf: { position: '17', at: '2024-01-01T00:00:00.000Z' },
  rows: [
    { month: '2023-03', ...sums({ tokens: [MATIC], commission: '1.25' }, { asked: '100.5', settled: '100.5' }) },
    { month: '2023-04', ...sums({ orders: 12, anomalies: 3 }, { asked: '1051823.63', open: '1051823.63' }) },
  ],
  totals: [
    sums(
      { orders: 13, tokens: [MATIC], commission: '1.25', anomalies: 3 },
      { asked: '1051924.13', settled: '100.5', open: '1051823.63' },
    ),
  ],
};

const EMPTY = { ...REPORT, from: null, to: null, asOf: { position: null, at: null }, rows: [], totals: [] };

describe('a report for people', () => {
  it('has filters, zone and as-of position in its header, a line for each row, totals at the end, and tokens below', () => {
    expect(reportPage(REPORT, null)).to.equal(
      `onramp orders created from 2023-01-01 to 2023-12-31; time zone Asia/Kolkata; as of position 17, 2024-01-01T00:00:00.000Z

month    currency  orders       asked  settled  refunded  refunding  expired  deemed  failed        open  commission  tds  anomalies
2023-03  INR            1      100.5     100.5         0          0        0       0       0        0           1.25    0          0
2023-04  INR           12  1051823.63      0           0          0        0       0       0  1051823.63        0       0          3
total    INR           13  1051924.13    100.5         0          0        0       0       0  1051823.63        1.25    0          3

Tokens of settled orders
month    currency  symbol  address  chainId  amount          baseUnits  averageConversionRate
2023-03  INR       MATIC   0xee     80001.0    0.01  10000000000000000                   90.2
total    INR       MATIC   0xee     80001.0    0.01  10000000000000000                   90.2
`,
    );
  });

  it('shows no row twice where the totals are the rows', () => {
    const page = reportPage({ ...REPORT, groupBy: [], rows: REPORT['totals'] ?? [] }, null);
    expect(page.match(/INR +13/g)).to.have.length(1);
  });

  it('leaves out what off-ramp tokens never have', () => {
    expect(reportPage({ ...REPORT, flow: 'offramp' }, null)).not.to.match(/baseUnits|averageConversionRate/);
  });

  it('says that there are no orders, and which ones were asked for', () => {
    const head = 'onramp orders created at any time; time zone Asia/Kolkata; before the first event\n';
    expect(reportPage(EMPTY, null)).to.equal(`${head}no orders\n`);
    expect(reportPage({ ...EMPTY, from: '2023-01-01' }, null)).to.include('created from 2023-01-01 on;');
    expect(reportPage({ ...EMPTY, to: '2023-01-31' }, null)).to.include('created up to 2023-01-31;');
  });

  it('in a narrow window leaves out what is 0 throughout, and stands on its side where that is not enough', () => {
    const narrow = reportPage(REPORT, 100);
    expect(narrow).to.include(`
month    currency  orders       asked  settled        open  commission  anomalies
2023-03  INR            1      100.5     100.5        0           1.25          0
2023-04  INR           12  1051823.63      0    1051823.63        0             3
total    INR           13  1051924.13    100.5  1051823.63        1.25          3
0 throughout: refunded, refunding, expired, deemed, failed, tds
`);
    expect(reportPage(REPORT, 40)).to.include(`
month       2023-03     2023-04
currency        INR         INR
orders         1          12
asked        100.5   1051823.63
settled      100.5         0
open           0     1051823.63
commission     1.25        0
anomalies      0           3

month            total
currency           INR
orders           13
asked       1051924.13
settled         100.5
open        1051823.63
commission        1.25
anomalies         3
0 throughout: refunded, refunding, expired, deemed, failed, tds
`);
  });

  it('stands as it is where it just fits', () => {
    const whole = reportPage({ ...REPORT, tokens: [] }, null);
    const width = Math.max(...whole.split('\n').map((line) => line.length));
    expect(reportPage({ ...REPORT, tokens: [] }, width)).to.equal(whole);
    expect(reportPage({ ...REPORT, tokens: [] }, width - 1)).to.include('0 throughout: ');
  });

  it('leaves base units out where they do not fit, and says so', () => {
    const narrow = reportPage(REPORT, 70);
    expect(narrow).to.include('left out: baseUnits').and.not.to.include('10000000000000000');
    expect(narrow).to.match(/^2023-03 .* 0\.01 +90\.2$/m);
  });

  it('escapes what would steer a terminal', () => {
    const page = reportPage({ ...REPORT, totals: [sums({ currency: 'I\u001b[2J' }, {})] }, null);
    expect(page).to.include(String.raw`I\u001b[2J`);
  });
});
