import { expect } from 'chai';
import fc from 'fast-check';
import { isEmailAddress, withMaskedEmails } from '../../../src/queries/masking/email-addresses.ts';

describe('withMaskedEmails', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['asha.rao@example.com', 'a***@example.com'],
    ['a@example.com', 'a***@example.com'],
    ['Asha Rao <asha@example.com>, ravi@example.org.', 'Asha Rao <a***@example.com>, r***@example.org.'],
    ['mailto:asha@example.com', 'mailto:a***@example.com'],
    ['asha@example.com/ravi@example.org', 'a***@example.com/***@example.org'],
    ['asha%40example.com', 'a***%40example.com'],
    ['"asha rao"@example.com', '***@example.com'],
    ['élan@exämple.com', 'é***@exämple.com'],
    ['👛rao@example.com', '👛***@example.com'],
    ['asha@okbank', 'a***@okbank'],
    ['asha@rao@example.com', 'a***@r***@example.com'],
    ['asha%2540example.com', 'a***%2540example.com'],
    ['asha%25252540example.com', 'a***%25252540example.com'],
    ['asha\\u0040example.com', 'a***\\u0040example.com'],
    [String.raw`asha\x40example.com`, String.raw`a***\x40example.com`],
    [String.raw`asha\u{40}example.com`, String.raw`a***\u{40}example.com`],
    [String.raw`"asha rao"\x40example.com`, String.raw`***\x40example.com`],
    ['asha＠example.com', 'a***＠example.com'],
    ['asha﹫example.com', 'a***﹫example.com'],
    ['asha&#64;example.com', 'a***&#64;example.com'],
    ['asha&#x40;example.com', 'a***&#x40;example.com'],
    ['asha&commat;example.com', 'a***&commat;example.com'],
    ['"asha rao"%40example.com', '***%40example.com'],
    ['"asha rao"＠example.com', '***＠example.com'],
    [String.raw`\"asha rao\"@example.com`, String.raw`\***@example.com`],
    ["'asha'@example.com", "'***@example.com"],
    ['asha%EF%BC%A0example.com', 'a***%EF%BC%A0example.com'],
    ['asha%25ef%25b9%25abexample.com', 'a***%25ef%25b9%25abexample.com'],
    ['asha%u0040example.com', 'a***%u0040example.com'],
    ['asha%5Cu0040example.com', 'a***%5Cu0040example.com'],
    [String.raw`asha\uFF20example.com`, String.raw`a***\uFF20example.com`],
    [String.raw`asha\U00000040example.com`, String.raw`a***\U00000040example.com`],
    [String.raw`asha\100example.com`, String.raw`a***\100example.com`],
    ['asha&amp;#64;example.com', 'a***&amp;#64;example.com'],
    ['asha&amp;amp;commat;example.com', 'a***&amp;amp;commat;example.com'],
    ['asha&#65312;example.com', 'a***&#65312;example.com'],
    ['asha&#xFE6B;example.com', 'a***&#xFE6B;example.com'],
    ['asha%26%2364%3Bexample.com', 'a***%26%2364%3Bexample.com'],
    ['asha\u{E0040}example.com', 'a***\u{E0040}example.com'],
    ['asha=40example.com', 'a***=40example.com'],
    ['=?utf-8?q?asha=2Erao=40example=2Ecom?=', '=***=40example=2Ecom?='],
    ['asha @example.com', 'a*** @example.com'],
    ['asha @ example.com', 'a*** @ example.com'],
    ['asha &#64; example.com', 'a*** &#64; example.com'],
    ['"asha rao" @example.com', '*** @example.com'],
    ['asha(work)@example.com', 'a***(***)@example.com'],
    ['asha (Asha at work) @example.com', 'a*** (***) @example.com'],
    ['[asha.rao]@example.com', '[***]@example.com'],
    ['<b>asha</b>@example.com', '<b>a***<***>@example.com'],
    [String.raw`"asha\"rao x"@example.com`, '***@example.com'],
    ['"@example.com', '"@example.com'],
    ['qty=40', 'qty=40'],
    ['qty=40&size=40', 'qty=40&size=40'],
    ['amount=4012.00 INR', 'amount=4012.00 INR'],
    ['width=40px, height=400', 'width=40px, height=400'],
    [String.raw`C:\100\files, \1000`, String.raw`C:\100\files, \1000`],
    ['5 @ 3.20 INR', '5 @ 3.20 INR'],
    ['see @handle, (ask) @ravi', 'see @handle, (ask) @ravi'],
    ['(a) [b] {c} "d" <e>', '(a) [b] {c} "d" <e>'],
    ['@handle', '@handle'],
    ['no address', 'no address'],
    ['', ''],
  ];
  for (const [text, shown] of cases) {
    it(`${JSON.stringify(text)} → ${JSON.stringify(shown)}`, () => expect(withMaskedEmails(text)).to.equal(shown));
  }

  it('lets no address through, whatever stands around it', () => {
    const around = fc.string({ unit: fc.constantFrom(' ', ',', '<', '>', '"', '(', '/', 'x', 'é', '@', '.', '\n') });
    fc.assert(
      fc.property(around, fc.emailAddress(), around, (before, address, after) => {
        const [local = ''] = address.split('@');
        fc.pre(local.length > 1);
        expect(withMaskedEmails(before + address + after)).not.to.include(`${local}@`);
      }),
    );
  });

  it('masks once: masking again changes nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.emailAddress(), fc.string())), (parts) => {
        const shown = withMaskedEmails(parts.join(' '));
        expect(withMaskedEmails(shown)).to.equal(shown);
      }),
    );
  });

  it('is through with a long text: a look from each place to its end would take many minutes', () => {
    const parts = [
      'a',
      '@',
      '"',
      'a@',
      '(',
      ')',
      ')@a.de',
      '\\"@',
      '%25',
      '&amp;',
      '=40a.',
      ' ',
      ' @a.',
      '@a.b',
      'a=2E',
    ];
    for (const part of parts) {
      const text = part.repeat(500_000 / part.length);
      for (const end of [' @', '@example.com', '" @example.com', ') @example.com']) {
        expect(withMaskedEmails(text + end)).to.have.length.above(0);
      }
    }
  });
});

describe('isEmailAddress', () => {
  it('tells one address from anything that holds more, or a number for a host', () => {
    expect(isEmailAddress('asha@example.com')).to.equal(true);
    for (const text of ['Asha <asha@example.com>', 'asha@okbank', 'asha@98.76.54.32', 'a@b@c.de', 'asha', 'x y@a.de']) {
      expect(isEmailAddress(text), text).to.equal(false);
    }
  });
});
