import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import fc from 'fast-check';
import { fieldsIn, queryTexts } from '../../../src/queries/parameters/form-text.ts';

const isWellEscaped = (text: string): boolean => {
  // Each part by itself, as the platform's parser decodes it.
  try {
    text.split(/[&=]/).forEach((part) => decodeURIComponent(part));
    return true;
  } catch {
    return false;
  }
};

/** Texts of what fields are written with, well-formed and not. */
const written = fc
  .array(fc.constantFrom('a', '=', '&', '+', '%', '%8', '%80', '%C3%A4', '%C3', '%A4', '%26', '%3D', '%zz', 'ä', ';'))
  .map((parts) => parts.join(''));

describe('the fields of a query or a form', () => {
  it('are those that browsers read, where every escape is well-formed, and none else', () => {
    fc.assert(
      fc.property(written, (text) => {
        expect(fieldsIn(text)).to.deep.equal(isWellEscaped(text) ? [...new URLSearchParams(text)] : null);
      }),
    );
  });

  it('come back as they were written', () => {
    const fields = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })));
    fc.assert(
      fc.property(fields, (pairs) => {
        expect(fieldsIn(new URLSearchParams(pairs).toString())).to.deep.equal(pairs);
      }),
    );
  });

  it('are none beyond as many as may be', () => {
    expect(fieldsIn('a&b', 2)).to.have.length(2);
    expect(fieldsIn('a&b&c', 2)).to.equal(null);
    expect(fieldsIn('&'.repeat(100), 2)).to.equal(null);
  });

  it('of a question are refused with what is expected', () => {
    expect(queryTexts('q=%C3%A4')).to.deep.equal(E.right([['q', 'ä']]));
    const refused = (text: string) => expect(queryTexts(text)).to.have.nested.property('left.parameter');
    refused('a=%C3%A4&q=%E4&x=%zz').to.equal('q');
    refused('a%20b=%E4').to.equal('a b');
    refused('%E4=q').to.equal('query');
    refused('=%E4').to.equal('query');
  });
});
