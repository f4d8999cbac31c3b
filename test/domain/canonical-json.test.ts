import { expect } from 'chai';
import * as fc from 'fast-check';
import { canonicalJson } from '../../src/domain/canonical-json.ts';
import type { JsonValue } from '../../src/domain/json.ts';
import { readExactly } from '../../src/domain/read-exactly.ts';
import { jsonTexts, jsonValues, sameValue } from '../support/arbitraries.ts';

const read = (text: string): JsonValue => readExactly(text).value;

describe('canonicalJson', () => {
  it('is equal exactly where values are equal', () => {
    fc.assert(
      fc.property(jsonValues, jsonValues, (a, b) => {
        expect(canonicalJson(a) === canonicalJson(b)).to.equal(sameValue(a, b));
      }),
    );
  });

  it('takes any spelling of a value for that value', () => {
    fc.assert(
      fc.property(jsonTexts, ({ value, text }) => {
        expect(canonicalJson(read(text))).to.equal(canonicalJson(value));
      }),
    );
  });

  it('compares numbers by value, whatever their size', () => {
    const same = [
      ['1', '1.0', '10e-1', '0.1E+1', '100e-2'],
      ['0', '-0', '0.00', '0e999999999999', '-0.0e-5'],
      ['1e999999999999999999', '10e999999999999999998', '0.1e1000000000000000000'],
      ['9007199254740993', '9007199254740993.0'],
    ];
    const texts = same.map((group) => new Set(group.map((text) => canonicalJson(read(text)))));
    expect(texts.map((group) => group.size)).to.deep.equal([1, 1, 1, 1]);
    expect(new Set(texts.flatMap((group) => [...group])).size).to.equal(4);
    expect(canonicalJson(read('9007199254740992'))).not.to.equal(canonicalJson(read('9007199254740993')));
    expect(canonicalJson(read('-1'))).not.to.equal(canonicalJson(read('1')));
  });

  it('moves an exponent of any length exactly, also where a digit is carried through all of it', () => {
    const nines = '9'.repeat(400);
    const zeros = '0'.repeat(400);
    const same = [
      [`1e${nines}`, `10e${nines.slice(0, -1)}8`, `0.1e1${zeros}`],
      [`1e1${zeros}`, `10e${nines}`, `100e${nines.slice(0, -1)}8`],
      [`1e-${nines}`, `10e-1${zeros}`, `0.1e-${nines.slice(0, -1)}8`],
      [`1e-1${zeros}`, `0.1e-${nines}`],
    ];
    const texts = same.map((group) => new Set(group.map((text) => canonicalJson(read(text)))));
    expect(texts.map((group) => group.size)).to.deep.equal([1, 1, 1, 1]);
    const exponent = fc.bigInt({ min: -(10n ** 330n), max: 10n ** 330n });
    fc.assert(
      fc.property(exponent, fc.nat(40), (of, moved) => {
        expect(canonicalJson(read(`1${'0'.repeat(moved)}e${of}`))).to.equal(`1e${of + BigInt(moved)}`);
      }),
    );
  });

  it('of a number with an exponent of millions of digits is written without computing with them', () => {
    // As numbers they took minutes.
    expect(canonicalJson(read(`1e${'7'.repeat(3_000_000)}`))).to.have.length(3_000_002);
  });
});
