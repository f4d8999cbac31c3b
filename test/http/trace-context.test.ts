import { expect } from 'chai';
import * as fc from 'fast-check';
import { parseTraceparent } from '../../src/http/trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

const hex = (digits: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'.split('')), minLength: digits, maxLength: digits });

describe('traceparent', () => {
  it('is read into the fields that OpenTelemetry has', () => {
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`)).to.deep.equal({
      trace_id: TRACE,
      span_id: SPAN,
      trace_flags: '01',
    });
  });

  it('of any ids comes out as it was put in', () => {
    fc.assert(
      fc.property(hex(32), hex(16), hex(2), (trace_id, span_id, trace_flags) => {
        const isValid = /[^0]/.test(trace_id) && /[^0]/.test(span_id);
        expect(parseTraceparent(`00-${trace_id}-${span_id}-${trace_flags}`)).to.deep.equal(
          isValid ? { trace_id, span_id, trace_flags } : null,
        );
      }),
    );
  });

  it('of a later version is read as far as it is known', () => {
    for (const more of ['', '-', '-what-comes-later']) {
      expect(parseTraceparent(`cc-${TRACE}-${SPAN}-00${more}`)).to.include({ trace_id: TRACE, span_id: SPAN });
    }
  });

  for (const [what, text] of [
    ['nothing', ''],
    ['no id of a trace', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['no id of a span', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['the version that is none', `ff-${TRACE}-${SPAN}-01`],
    ['capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['other characters', `00-${TRACE.replace('4', 'g')}-${SPAN}-01`],
    ['a short trace', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['a long span', `00-${TRACE}-${SPAN}0-01`],
    ['no flags', `00-${TRACE}-${SPAN}`],
    ['more in version 00', `00-${TRACE}-${SPAN}-01-more`],
    ['a dash too many in version 00', `00-${TRACE}-${SPAN}-01-`],
    ['more without a dash', `cc-${TRACE}-${SPAN}-01more`],
    ['blanks', ` 00-${TRACE}-${SPAN}-01`],
    ['a line behind', `00-${TRACE}-${SPAN}-01\n`],
    ['two headers', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
  ] as const) {
    it(`is ignored where it has ${what}`, () => {
      expect(parseTraceparent(text)).to.equal(null);
    });
  }

  it('is ignored whatever else comes', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseTraceparent(text)).to.equal(null);
      }),
    );
  });
});
