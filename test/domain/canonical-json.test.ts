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
});
