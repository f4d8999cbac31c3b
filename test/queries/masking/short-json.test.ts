import { expect } from 'chai';
import fc from 'fast-check';
import { isShortAndNoJson } from '../../../src/queries/masking/short-json.ts';
import { parseNatively } from '../../../src/domain/parse-json.ts';

const isJson = (text: string): boolean => parseNatively(text) !== undefined;

/** Marks and words of JSON, and what is nearly so. */
const MARKS =
  '{ } [ ] " : , {"a": "" "a" \\ \\" \\u00e9 \\u00g \\x true false null nul 0 1 01 - -0 . .5 1.0 1. e E+ e-1 1e5 +1 x NaN / #';
const CHARACTERS = '\u0000\u001F\u007F\uD83D\u2028é \t\n\r\v\u00A0\uFEFF';

const pieces = fc.constantFrom(...MARKS.split(' '), ...CHARACTERS.split(''));

describe('isShortAndNoJson', () => {
  it('says of any short text what the parser does', () => {
    const texts = fc.oneof(
      fc.string({ unit: pieces, maxLength: 12 }),
      fc.string({ unit: fc.constantFrom('[', ']', ',', '1', '"', ' '), maxLength: 8 }),
      fc.string({ unit: fc.constantFrom('{', '}', ',', ':', '"', '1'), maxLength: 10 }),
      fc.json({ maxDepth: 3 }),
      fc.tuple(fc.json({ maxDepth: 2 }), fc.nat(), pieces).map(([json, at, piece]) => {
        const place = at % (json.length + 1);
        return json.slice(0, place) + piece + json.slice(place + 1);
      }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(text.length <= 64);
        expect(isShortAndNoJson(text), text).to.equal(!isJson(text));
      }),
      { numRuns: 5_000 },
    );
  });

  it('says so of each character in a text, behind a backslash and around a value', () => {
    const others = Array.from('\u1680\u2000\u2028\u2029\u3000\uFEFF\uFF20\uFFFF\uD800\uDFFF');
    const characters = [...Array.from({ length: 0x100 }, (_, code) => String.fromCharCode(code)), ...others];
    const texts = characters.flatMap((mark) => [`"${mark}"`, `"\\${mark}"`, `${mark}1`, `[1${mark}]`, mark]);
    expect(texts.filter((text) => isShortAndNoJson(text) === isJson(text))).to.deep.equal([]);
  });

  it('leaves longer ones to the parser', () => {
    expect(isShortAndNoJson('['.repeat(64))).to.equal(true);
    expect(isShortAndNoJson('['.repeat(65))).to.equal(false);
  });
});
