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
    for (const text of ['a'.repeat(500_000), '@'.repeat(500_000), '"'.repeat(500_000), 'a@'.repeat(250_000)]) {
      expect(withMaskedEmails(`${text} @`)).to.have.length.above(0);
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
