import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalJson } from '../../src/domain/canonical-json.ts';
import { isSameJson } from '../../src/domain/is-same-json.ts';
import { readExactly } from '../../src/domain/read-exactly.ts';

const LONG = 'k'.repeat(100_000);

/** Members of one object, each of which came twice. */
const twice = (count: number): string => Array.from({ length: count }, (_, i) => `"${i}":1,"${i}":2`).join(',');

describe('readExactly', () => {
  it('tells so many contradictions and so much of a path, however many there are under however long a one', () => {
    const { contradictions } = readExactly(`{"${LONG}":{${twice(8_000)}},"z":{${twice(30)}}}`);
    expect(contradictions).to.deep.equal([`${'k'.repeat(200)}…`, ...Array.from({ length: 19 }, (_, i) => `z.${i}`)]);
  });

  it('looks at what comes twice at each level no further than to the first difference', () => {
    // Spelled out once for each level, these are half a gigabyte.
    let text = `{${Array.from({ length: 200_000 }, (_, i) => `"row${i}":"${'x'.repeat(32)}"`).join(',')}}`;
    for (let level = 0; level < 60; level += 1) text = `{"a":{},"a":${text}}`;
    expect(readExactly(text).contradictions).to.have.length(20);
  });

  it('takes two members of one name for the same exactly where their canonical texts are', () => {
    const values = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(values, values, (a, b) => {
        const [one, other] = [readExactly(JSON.stringify(a)).value, readExactly(JSON.stringify(b)).value];
        expect(isSameJson(one, other)).to.equal(canonicalJson(one) === canonicalJson(other));
        expect(isSameJson(one, readExactly(JSON.stringify(a, null, 1)).value)).to.equal(true);
      }),
    );
  });
});
