import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  compareInstants,
  epochMsOf,
  instantOf,
  isRealTime,
  parseInstant,
  isInstant,
  laterBy,
} from '../../src/domain/instant.ts';

const anyEpochMs = fc.integer({ min: Date.parse('0000-01-01T00:00:00Z'), max: Date.parse('9999-12-31T23:59:59.999Z') });
const offsets = fc.integer({ min: -(23 * 60 + 59), max: 23 * 60 + 59 });

const twoDigits = (value: number): string => String(value).padStart(2, '0');
const offsetText = (minutes: number, colon: string): string =>
  `${minutes < 0 ? '-' : '+'}${twoDigits(Math.trunc(Math.abs(minutes) / 60))}${colon}${twoDigits(Math.abs(minutes) % 60)}`;

/** Nanoseconds since the year 0, by whole numbers alone. */
const nanoseconds = (epochMs: number, finer: number): bigint => BigInt(epochMs) * 1_000_000n + BigInt(finer);

const moments = fc.tuple(anyEpochMs, fc.oneof(fc.constant(0), fc.nat(999_999)));
const textOf = (epochMs: number, finer: number): string =>
  new Date(epochMs).toISOString().replace('Z', `${String(finer).padStart(6, '0')}Z`);

describe('parseInstant', () => {
  it('gives back every moment that it is given in its own form', () => {
    fc.assert(
      fc.property(anyEpochMs, (epochMs) => {
        const text = new Date(epochMs).toISOString();
        expect(parseInstant(text)).to.equal(text);
        expect(parseInstant(text.replace(/\.\d+/, ''))).to.equal(text.replace(/\.\d+/, '.000'));
        expect(instantOf(epochMs)).to.equal(text);
      }),
    );
  });

  it('moves an offset to UTC', () => {
    fc.assert(
      fc.property(anyEpochMs, offsets, fc.constantFrom(':', ''), (epochMs, minutes, colon) => {
        const local = epochMs + minutes * 60_000;
        fc.pre(local >= Date.parse('0000-01-01T00:00:00Z') && local <= Date.parse('9999-12-31T23:59:59.999Z'));
        const text = new Date(local).toISOString().replace('Z', offsetText(minutes, colon));
        expect(parseInstant(text)).to.equal(new Date(epochMs).toISOString());
      }),
    );
    expect(parseInstant('2023-03-01T00:00:00+05:30')).to.equal('2023-02-28T18:30:00.000Z');
    expect(parseInstant('2023-03-01T00:00:00.5+05')).to.equal('2023-02-28T19:00:00.500Z');
    expect(parseInstant('2023-12-31T23:30:00-01:00')).to.equal('2024-01-01T00:30:00.000Z');
  });

  it('keeps finer digits down to nanoseconds, and gives one text to one moment', () => {
    const cases: Readonly<Record<string, string>> = {
      '2023-03-01T06:31:08Z': '2023-03-01T06:31:08.000Z',
      '2023-03-01T06:31:08': '2023-03-01T06:31:08.000Z',
      '2023-03-01T06:31Z': '2023-03-01T06:31:00.000Z',
      '2023-03-01t06:31:08z': '2023-03-01T06:31:08.000Z',
      '2023-03-01T06:31:08.1Z': '2023-03-01T06:31:08.100Z',
      '2023-03-01T06:31:08,12Z': '2023-03-01T06:31:08.120Z',
      '2023-03-01T06:31:08.123456789Z': '2023-03-01T06:31:08.123456789Z',
      '2023-03-01T06:31:08.1234500Z': '2023-03-01T06:31:08.12345Z',
      '2023-03-01T06:31:08.000000001+00:00': '2023-03-01T06:31:08.000000001Z',
      '2023-03-01T06:31:08.1234567899999Z': '2023-03-01T06:31:08.123456789Z',
      '2024-02-29T23:59:59.999Z': '2024-02-29T23:59:59.999Z',
      '2000-02-29T00:00:00Z': '2000-02-29T00:00:00.000Z',
      '0001-01-01T00:00:00Z': '0001-01-01T00:00:00.000Z',
    };
    for (const [text, instant] of Object.entries(cases)) expect(parseInstant(text), text).to.equal(instant);
  });

  it('refuses days and times that no calendar and no clock has', () => {
    const days = fc.tuple(
      fc.integer({ min: 0, max: 9999 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
    );
    fc.assert(
      fc.property(days, fc.constantFrom('.000Z', 'Z', '.5Z', '+00:00'), ([year, month, day], end) => {
        const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
        const length = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
        const text = `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}T10:00:00${end}`;
        expect(parseInstant(text) !== null, text).to.equal(day >= 1 && day <= length);
      }),
      { numRuns: 2000 },
    );
    const none = [
      '',
      '2023-03-01',
      '2023-03-01T',
      '2023-03-01 06:31:08Z',
      '2023-03-01T24:00:00Z',
      '2023-03-01T23:60:00Z',
      '2023-03-01T23:59:60Z',
      '2023-03-01T06:31.5Z',
      '2023-03-01T06:31:08.Z',
      '2023-03-01T06:31:08+24:00',
      '2023-03-01T06:31:08+05:60',
      '2023-03-01T06:31:08 Z',
      '2023-03-01T06:31:08Z\n',
      '2023-3-1T06:31:08Z',
      '10000-01-01T00:00:00Z',
      '+002023-03-01T06:31:08Z',
      '-000001-01-01T00:00:00Z',
      '0000-01-01T00:00:00+00:01',
      '9999-12-31T23:59:00-00:01',
      '1677652268',
      '٢٠٢٣-03-01T06:31:08Z',
    ];
    for (const text of none) expect(parseInstant(text), text).to.equal(null);
  });
});

describe('compareInstants', () => {
  it('orders by time, to the nanosecond', () => {
    fc.assert(
      fc.property(moments, fc.oneof(moments, fc.constant(null)), fc.nat(3), ([ms, finer], other, near) => {
        const [otherMs, otherFiner] = other ?? [ms, Math.min(999_999, finer + near)];
        const [a, b] = [parseInstant(textOf(ms, finer)), parseInstant(textOf(otherMs, otherFiner))];
        if (a === null || b === null) throw new Error('no instants');
        const [x, y] = [nanoseconds(ms, finer), nanoseconds(otherMs, otherFiner)];
        expect(compareInstants(a, b)).to.equal(x < y ? -1 : x > y ? 1 : 0);
        expect(epochMsOf(a)).to.equal(ms);
      }),
    );
  });
});

describe('epochMsOf', () => {
  it('takes back what instantOf gives, of days that follow each other as they like', () => {
    const day = fc.constantFrom(-719_528, -1, 0, 1, 19_000, 19_001, 2_932_896);
    const readings = fc.array(fc.tuple(day, fc.nat(86_399_999)), { maxLength: 20 });
    fc.assert(
      fc.property(readings, (some) => {
        for (const [days, ms] of some) {
          const reading = days * 86_400_000 + ms;
          expect(epochMsOf(instantOf(reading))).to.equal(reading);
        }
      }),
    );
  });
});

const YEAR = 365 * 86_400_000;

describe('a clock that stands outside of the years that can be written', () => {
  it('gives the first or the last moment of these, which is read again', () => {
    const beyond = fc.double({ min: 1, max: 200_000 * YEAR, noNaN: true });
    fc.assert(
      fc.property(beyond, (ms) => {
        for (const [reading, text] of [
          [Date.parse('9999-12-31T23:59:59.999Z') + ms, '9999-12-31T23:59:59.999Z'],
          [Date.parse('0000-01-01T00:00:00.000Z') - ms, '0000-01-01T00:00:00.000Z'],
        ] as const) {
          expect(instantOf(reading)).to.equal(text);
          expect(isInstant(instantOf(Math.round(reading)))).to.equal(true);
        }
      }),
    );
  });
});

describe('laterBy', () => {
  it('is a moment so much later or earlier, and none where no instant is', () => {
    const at = parseInstant('2023-03-01T06:31:08.123456789Z') ?? expect.fail('it is none');
    expect(laterBy(at, 86_400_000)).to.equal('2023-03-02T06:31:08.123Z');
    expect(laterBy(at, -1)).to.equal('2023-03-01T06:31:08.122Z');
    const [first, last] = ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'].map(parseInstant);
    for (const [edge, ms] of [
      [first, -1],
      [last, 1],
    ] as const) {
      expect(laterBy(edge ?? at, 0)).to.equal(edge);
      expect(laterBy(edge ?? at, ms)).to.equal(null);
    }
  });
});

const real = (text: string): boolean | null => {
  const instant = parseInstant(text);
  return instant === null ? null : isRealTime(instant);
};

describe('isRealTime', () => {
  it('knows the zero timestamp in every spelling, and nothing else, for no time', () => {
    expect(real('0001-01-01T00:00:00Z')).to.equal(false);
    expect(real('0001-01-01T00:00:00.000000000Z')).to.equal(false);
    expect(real('0001-01-01T05:30:00+05:30')).to.equal(false);
    expect(real('0001-01-01T00:00:00.001Z')).to.equal(true);
    expect(real('1970-01-01T00:00:00Z')).to.equal(true);
  });
});
