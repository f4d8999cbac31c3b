import { expect } from 'chai';
import fc from 'fast-check';
import { readUrlEncoded } from '../../src/http/url-encoded.ts';

/** A text as it stands between `&` and `=`: raw, escaped or partly so, and never ill-formed. */
const written = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme-composite', maxLength: 4 }).map(encodeURIComponent),
      fc.string({ unit: 'binary', maxLength: 4 }).map((text) => text.replaceAll('%', '+')),
      fc.constantFrom('+', '=', '', '%26', '%3D', '%2B', '%25', '%c3%A9', '%00'),
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.join(''));

const ILL = [
  '%',
  '%4',
  '%zz',
  '%8',
  '%80',
  '%c3',
  '%c3é',
  'é%a9',
  '%e0%80%80',
  '%ed%a0%80',
  '%ff',
  '%u0041',
  '%c3&%a9',
  '%c3=%a9',
];

describe('a text of URL-encoded fields', () => {
  it('is read as the platform reads it, wherever it is well-formed', () => {
    fc.assert(
      fc.property(fc.array(written, { maxLength: 12 }), (fields) => {
        const text = fields.join('&');
        fc.pre(text.split('&').length <= 256);
        expect([...(readUrlEncoded(text) ?? [['none', '']])]).to.deep.equal([...new URLSearchParams(text)]);
      }),
    );
  });

  it('is refused where an escape is none, or escapes are no UTF-8', () => {
    for (const ill of ILL)
      for (const text of [ill, `a=${ill}`, `${ill}=a`, `a=b&${ill}&c=d`])
        expect(readUrlEncoded(text), text).to.equal(null);
  });

  it('has at most 256 fields, empty ones too', () => {
    expect(readUrlEncoded(Array.from({ length: 256 }, () => 'a=b').join('&'))?.size).to.equal(256);
    expect(readUrlEncoded(Array.from({ length: 257 }, () => 'a=b').join('&'))).to.equal(null);
    expect(readUrlEncoded('&'.repeat(255))?.size).to.equal(0);
    expect(readUrlEncoded('&'.repeat(256))).to.equal(null);
  });
});
