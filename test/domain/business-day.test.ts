import { expect } from 'chai';
import * as fc from 'fast-check';
import { branded } from '../../src/domain/brand.ts';
import { businessCalendar, parseBusinessDay, type BusinessDay, type Calendar } from '../../src/domain/business-day.ts';
import { compareInstants, instantOf, type Instant } from '../../src/domain/instant.ts';
import { runs } from '../support/runs.ts';

const ZONES = [
  'UTC',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'America/New_York',
  'America/St_Johns',
  'America/Sao_Paulo',
  'America/Havana',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kwajalein',
  'Pacific/Kiritimati',
  'Europe/London',
  'Europe/Amsterdam',
  'Africa/Cairo',
  'Africa/Monrovia',
  'Asia/Tehran',
];

/** What Intl shows on the wall. */
const wall = (timeZone: string): ((epochMs: number) => string) => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (epochMs) => {
    const [month = '', day = '', year = ''] = format.format(epochMs).split('/');
    return `${year.padStart(4, '0')}-${month}-${day}`;
  };
};

/** Every hour in which a zone changed its clock, since shortly before local mean times went out of use. */
const transitions = (timeZone: string): readonly number[] => {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const offset = (at: number): string => format.format(at).split(' ').at(-1) ?? '';
  const found: number[] = [];
  for (let at = Date.UTC(1882, 0); at < Date.UTC(2037, 0); at += 14 * 86_400_000) {
    if (offset(at) === offset(at + 14 * 86_400_000)) continue;
    let [before, after] = [at, at + 14 * 86_400_000];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (offset(middle) === offset(before)) before = middle;
      else after = middle;
    }
    found.push(after);
  }
  return found;
};

const calendarsUnderTest: readonly {
  readonly calendar: Calendar;
  readonly oracle: (at: number) => string;
  readonly changes: readonly number[];
}[] = ZONES.map((zone) => ({ calendar: businessCalendar(zone), oracle: wall(zone), changes: transitions(zone) }));

const day = (text: string): BusinessDay => {
  const parsed = parseBusinessDay(text);
  if (parsed === null) throw new Error(`no day: ${text}`);
  return parsed;
};

const instant = (text: string): Instant => branded<Instant>(text);

describe('parseBusinessDay', () => {
  it('takes days that the calendar has', () => {
    for (const text of ['2026-01-31', '2024-02-29', '0000-01-01', '9999-12-31', '2000-02-29']) {
      expect(parseBusinessDay(text)).to.equal(text);
    }
  });

  it('takes nothing else', () => {
    const others = ['2026-02-29', '1900-02-29', '2026-13-01', '2026-00-10', '2026-01-32', '2026-01-00', '2026-1-31'];
    const spelled = ['', '2026-01', '20260131', ' 2026-01-31', '2026-01-31\n', '2026-01-31T00:00:00Z', '-001-01-01'];
    for (const text of [...others, ...spelled, '٢٠٢٦-٠١-٣١', '+10000-01-01']) {
      expect(parseBusinessDay(text), text).to.equal(null);
    }
  });
});

describe('businessCalendar', () => {
  it('puts every moment on the day that the wall shows', () => {
    // The era before year 1 has other numbers on the wall.
    const anyTime = fc.integer({ min: Date.UTC(1500, 0), max: Date.UTC(2200, 0) });
    const lately = fc.integer({ min: Date.UTC(1970, 0), max: Date.UTC(2035, 0) });
    const midnights = fc
      .tuple(
        fc.integer({ min: Date.UTC(1960, 0) / 900_000, max: Date.UTC(2030, 0) / 900_000 }),
        fc.constantFrom(-1, 0, 1),
      )
      .map(([slot, away]) => slot * 900_000 + away);
    fc.assert(
      fc.property(
        fc.constantFrom(...calendarsUnderTest),
        fc.oneof(anyTime, lately, midnights),
        ({ calendar, oracle }, at) => {
          expect(calendar.dayOf(instantOf(at))).to.equal(oracle(at));
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it('follows every change of the clock to the millisecond, asked in any order', () => {
    for (const { calendar, oracle, changes } of calendarsUnderTest) {
      for (const change of changes) {
        for (const minutes of [0, 61, -1, 1, -61, 14, -14, 59, -59, 30, -30, 120, -120, 0]) {
          for (const ms of [0, -1]) {
            const at = change + minutes * 60_000 + ms;
            expect(calendar.dayOf(instantOf(at)), `${calendar.timeZone} ${instantOf(at)}`).to.equal(oracle(at));
          }
        }
      }
    }
  });

  it('looks at digits finer than milliseconds', () => {
    const { dayOf } = businessCalendar('Asia/Kolkata');
    expect(dayOf(instant('2026-01-30T18:29:59.999999999Z'))).to.equal('2026-01-30');
    expect(dayOf(instant('2026-01-30T18:30:00.000000001Z'))).to.equal('2026-01-31');
  });

  it('stays within the years that instants have', () => {
    const [west, east] = [businessCalendar('America/New_York'), businessCalendar('Asia/Kolkata')];
    expect(west.dayOf(instant('0000-01-01T00:00:00.000Z'))).to.equal('0000-01-01');
    expect(east.dayOf(instant('9999-12-31T23:59:59.999Z'))).to.equal('9999-12-31');
    for (const { bounds } of [west, east]) {
      expect(bounds(day('0000-01-01')).from).to.equal('0000-01-01T00:00:00.000Z');
      const last = bounds(day('9999-12-31'));
      expect(compareInstants(last.until, instant('9999-12-31T23:59:59.999999999Z'))).to.be.greaterThan(0);
    }
  });

  it('bounds a day by its first moment and the first after it', () => {
    const kolkata = businessCalendar('Asia/Kolkata').bounds(day('2026-01-31'));
    expect(kolkata).to.deep.equal({ from: '2026-01-30T18:30:00.000Z', until: '2026-01-31T18:30:00.000Z' });
    const newYork = businessCalendar('America/New_York').bounds(day('2026-03-08'));
    expect(newYork).to.deep.equal({ from: '2026-03-08T05:00:00.000Z', until: '2026-03-09T04:00:00.000Z' });
    const cairo = businessCalendar('Africa/Cairo').bounds(day('2026-04-24'));
    expect(cairo).to.deep.equal({ from: '2026-04-23T22:00:00.000Z', until: '2026-04-24T21:00:00.000Z' });
  });

  it('has nothing in a day that the zone left out', () => {
    const { from, until } = businessCalendar('Pacific/Apia').bounds(day('2011-12-30'));
    expect([from, until]).to.deep.equal(['2011-12-30T10:00:00.000Z', '2011-12-30T10:00:00.000Z']);
  });

  it('spans both pieces of a day whose midnight came twice', () => {
    const calendar = businessCalendar('America/St_Johns');
    const saturday = calendar.bounds(day('2006-10-28'));
    const sunday = calendar.bounds(day('2006-10-29'));
    expect([saturday.until, sunday.from]).to.deep.equal(['2006-10-29T03:30:00.000Z', '2006-10-29T02:30:00.000Z']);
    expect(calendar.dayOf(instant('2006-10-29T02:30:59.999Z'))).to.equal('2006-10-29');
    expect(calendar.dayOf(instant('2006-10-29T02:31:00.000Z'))).to.equal('2006-10-28');
  });

  it('bounds hold every moment of their day, begin and end with one, and stand between the days before and after', () => {
    const zones = fc.constantFrom(...calendarsUnderTest);
    const aroundChanges = zones.chain((zone) =>
      fc.tuple(
        fc.constant(zone),
        fc
          .tuple(fc.constantFrom(0, ...zone.changes), fc.integer({ min: -90_000_000, max: 90_000_000 }))
          .map(([change, away]) => change + away),
      ),
    );
    const anyTime = fc.tuple(zones, fc.integer({ min: Date.UTC(1500, 0), max: Date.UTC(2200, 0) }));
    fc.assert(
      fc.property(fc.oneof(aroundChanges, anyTime), ([{ calendar }, at]) => {
        const moment = instantOf(at);
        const its = calendar.dayOf(moment);
        const { from, until } = calendar.bounds(its);
        expect(compareInstants(from, moment)).to.be.at.most(0);
        expect(compareInstants(moment, until)).to.be.lessThan(0);
        expect(calendar.dayOf(from)).to.equal(its);
        expect(calendar.dayOf(instantOf(Date.parse(until) - 1))).to.equal(its);
        expect(calendar.dayOf(instantOf(Date.parse(from) - 1)) < its).to.equal(true);
        expect(calendar.dayOf(instantOf(Date.parse(until))) > its).to.equal(true);
      }),
      { numRuns: 500 },
    );
  });
});
