import { mock } from 'node:test';
import { expect } from 'chai';
import fc from 'fast-check';
import { isEmailAddress, withMaskedEmails } from '../../../src/queries/masking/email-addresses.ts';

/** Letters that are in no host and in no spelling of the sign, so that what is shown of a local part is known by them. */
const OF_LOCAL_PARTS = /[G-TV-Z]/g;

/** One of the characters of a text. */
const charOf = (characters: string): fc.Arbitrary<string> => fc.constantFrom(...characters.split(''));

const letters = charOf('GHKMNPRSTVXYZ');

const textOf = (unit: fc.Arbitrary<string>): fc.Arbitrary<string> => fc.string({ unit, minLength: 1, maxLength: 8 });

const atoms = textOf(fc.oneof({ weight: 3, arbitrary: letters }, charOf("!#$%&'*+-/=?^_`{|}~")));

/** Local parts of RFC 5321 (4.1.2): a `Dot-string` or a `Quoted-string`. */
const dotStrings = fc.array(atoms, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'));
const quotedStrings = textOf(
  fc.oneof({ weight: 3, arbitrary: letters }, charOf(' @,;:.<>()[]'), fc.constantFrom('\\"', '\\\\')),
).map((content) => `"${content}"`);

/** Those of RFC 5322 (4.4) may have any of their words in quotes. */
const severalWords = fc
  .array(fc.oneof(atoms, quotedStrings), { minLength: 2, maxLength: 3 })
  .map((words) => words.join('.'));

const signs = fc.constantFrom(
  '@',
  '＠',
  '﹫',
  '\u{E0040}',
  '%40',
  '%2540',
  '%EF%BC%A0',
  '&#64;',
  '&#x40;',
  '&commat;',
  '&amp;#64;',
  '\\u0040',
  '\\x40',
  '\\u{40}',
  '%5Cu0040',
  '=40',
  '\\100',
);
const hosts = fc.constantFrom('example.com', 'mail.example.co.in', 'x-y.org', 'gmail.com');
/** Those of payments have no end such as `.in`; written `=40` they are not told from any `size=40`. */
const anyHosts = fc.oneof(hosts, fc.constantFrom('okaxis', 'ybl'));

const handles = textOf(fc.oneof({ weight: 3, arbitrary: letters }, charOf('_.-')));
const addresses = fc
  .oneof(
    fc.record({ mark: fc.constant(''), local: fc.oneof(dotStrings, quotedStrings, severalWords) }),
    fc.record({ mark: signs, local: handles }),
  )
  .chain(({ mark, local }) =>
    fc
      .tuple(signs, anyHosts)
      .filter(([sign, host]) => host.includes('.') || !['=40', '\\100'].includes(sign))
      .map(([sign, host]) => mark + local + sign + host),
  );
const blanks = fc.constantFrom(' ', ', ', '\n', '> <', ' and ', '; ');
const joints = fc.oneof(blanks, charOf("!#$%&'*+-/=?^_`{|}~.,;:()[]<>\\·，"), fc.constantFrom('', '--'));

/** How often a pattern is matched, and how many pieces of text are cut out, while addresses of a text are masked. */
const workOf = (text: string): { readonly matches: number; readonly pieces: number } => {
  const matching = mock.method(RegExp.prototype, 'exec');
  const cutting = mock.method(String.prototype, 'slice');
  withMaskedEmails(text);
  const work = { matches: matching.mock.callCount(), pieces: cutting.mock.callCount() };
  matching.mock.restore();
  cutting.mock.restore();
  return work;
};

describe('withMaskedEmails', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['asha.rao@example.com', 'a***@example.com'],
    ['a@example.com', 'a***@example.com'],
    ['Asha Rao <asha@example.com>, ravi@example.org.', 'Asha Rao <a***@example.com>, r***@example.org.'],
    ['mailto:asha@example.com', 'mailto:a***@example.com'],
    ['asha@example.com/ravi@example.org', 'a***@e***@example.org'],
    ['asha@example.com,ravi@example.org', 'a***@example.com,r***@example.org'],
    ['asha@x.com-vikram_shah@gmail.com', 'a***@x***@gmail.com'],
    ['asha@okaxis-9876543210_x@ybl', 'a***@o***@ybl'],
    ['@priya.sharma+bank@gmail.com', '@p***@gmail.com'],
    ['@priya_sharma@mastodon.social', '@p***@mastodon.social'],
    ['%40priya_sharma%40mastodon.social', '%40p***%40mastodon.social'],
    ['＠priya_sharma＠mastodon.social', '＠p***＠mastodon.social'],
    ['asha@@example.com', 'a***@@example.com'],
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
    ['o&#39;brien@x.com', 'o***@x.com'],
    ['asha.rao@उदाहरण.भारत', 'a***@उदाहरण.भारत'],
    ['asha.rao @ उदाहरण.भारत', 'a*** @ उदाहरण.भारत'],
    ['asha.rao @ உதாரணம்.இந்தியா', 'a*** @ உதாரணம்.இந்தியா'],
    ['asha.rao(work)@उदाहरण.भारत', 'a***(***)@उदाहरण.भारत'],
    ['zoe.y @example。com', 'z*** @example。com'],
    ['zoe.w %40 example%2Ecom', 'z*** %40 example%2Ecom'],
    ['o&#x27;brien@x.com', 'o***@x.com'],
    ['o&apos;brien@x.com', 'o***@x.com'],
    ['o&amp;amp;#039;brien@x.com', 'o***@x.com'],
    ['R&amp;D.asha@x.com', 'R***@x.com'],
    ['&eacute;lan@x.com', '****@x.com'],
    ['asha&#46;rao@x.com', 'a***@x.com'],
    ['&quot;john doe&quot;@x.com', '***@x.com'],
    ['&#34;john doe&#x22;@x.com', '***@x.com'],
    ['&amp;quot;john doe&amp;quot;@x.com', '***@x.com'],
    ['from &quot;john, doe&quot;&#64;x.com &amp; others', 'from ***&#64;x.com &amp; others'],
    ['&#38;quot;john doe&#38;quot;@x.com', '***@x.com'],
    ['&#038;#x26;quot;john doe&#x0026;amp;#34;@x.com', '***@x.com'],
    ['&ampquot;john doe&#38quot;@x.com', '***@x.com'],
    ['john.doe&#38;#39;s@x.com', 'j***@x.com'],
    ['john.doe&#x26;#39;s@x.com', 'j***@x.com'],
    ['john.doe&amp#39;s@x.com', 'j***@x.com'],
    ['john.doe&AMP;#X26;#38#39;s@x.com', 'j***@x.com'],
    [`john.doe&#${'0'.repeat(50)}38;#${'0'.repeat(50)}39;s@x.com`, 'j***@x.com'],
    ['asha&#38;#64;example.com', 'a***&#38;#64;example.com'],
    ['asha&amp#64example.com', 'a***&amp#64example.com'],
    ['asha&#38#x26commat;example.com', 'a***&#38#x26commat;example.com'],
    ['asha&lpar;work&rpar;@x.com', 'a***(***)@x.com'],
    ['&lt;b&gt;asha&lt;/b&gt;@x.com', '&lt;b&gt;a***<***>@x.com'],
    ['&lt;asha@x.com&gt;&nbsp;&amp;&nbsp;&lt;ravi@y.com&gt;', '&lt;a***@x.com&gt;&nbsp;&amp;&nbsp;&lt;r***@y.com&gt;'],
    ['a &lt; b &amp; c, see @handle&nbsp;&copy;', 'a &lt; b &amp; c, see @handle&nbsp;&copy;'],
    ['asha&#1114112;rao&#x110000;x@x.com', 'a***@x.com'],
    ['asha&amp;amp;commat;example.com', 'a***&amp;amp;commat;example.com'],
    ['asha&#65312;example.com', 'a***&#65312;example.com'],
    ['asha&#xFE6B;example.com', 'a***&#xFE6B;example.com'],
    ['asha%26%2364%3Bexample.com', 'a***%26%2364%3Bexample.com'],
    ['asha\u{E0040}example.com', 'a***\u{E0040}example.com'],
    ['asha=40example.com', 'a***=40example.com'],
    ['=?utf-8?q?asha=2Erao=40example=2Ecom?=', '=***=40example=2Ecom?='],
    ['asha @example.com', 'a*** @example.com'],
    ['asha @ example.com', 'a*** @ example.com'],
    ['asha @x.in', 'a*** @x.in'],
    ['asha @x.i', 'asha @x.i'],
    ['"asha @rao" \u3000@x.in', '*** \u3000@x.in'],
    ['ab***@example.com', 'a***@example.com'],
    ['a\uDB40b@example.com\uDB40', 'a***@example.com\uDB40'],
    ['asha &#64; example.com', 'a*** &#64; example.com'],
    ['"asha rao" @example.com', '*** @example.com'],
    ['asha(work)@example.com', 'a***(***)@example.com'],
    ['asha (Asha at work) @example.com', 'a*** (***) @example.com'],
    ['[asha.rao]@example.com', '[***]@example.com'],
    ['<b>asha</b>@example.com', '<b>a***<***>@example.com'],
    [String.raw`"asha\"rao x"@example.com`, '***@example.com'],
    ['"asha rao, ravi@home"@example.com', '***@example.com'],
    ['"asha@rao" <asha@example.com>', '"a***@rao" <a***@example.com>'],
    ['asha."r@o"@example.com', 'a***@example.com'],
    [String.raw`"asha \" rao\\"@example.com`, '***@example.com'],
    [String.raw`to \"asha \\\" r@o\"@example.com`, String.raw`to \***@example.com`],
    [String.raw`\"asha rao"@example.com`, String.raw`\***@example.com`],
    [String.raw`"asha rao"@example.com\"ravi"@example.org`, '***@example.org'],
    ['asha rao"@example.com', 'asha r***"@example.com'],
    ['"@example.com', '"@example.com'],
    ['"asha rao".kumar@example.com', '***@example.com'],
    ['to "asha rao"."k b"@example.com', 'to ***@example.com'],
    ['a."sha r".kumar."k b" @example.com', 'a*** @example.com'],
    ['"Asha Rao" kumar@example.com, "b".', '"Asha Rao" k***@example.com, "b".'],
    ['see "a b". kumar@example.com', 'see "a b". k***@example.com'],
    ['"asha rao"(work)@example.com', '***(***)@example.com'],
    ['asha(c(d))@example.com', 'a***(***)@example.com'],
    ['asha (c) (d(e)f) @example.com', 'a*** (***) (***) @example.com'],
    ['asha(c))@example.com', 'a***(***)@example.com'],
    ['asha(c).rao@example.com', 'a***@example.com'],
    ['<b>asha</b>.<i>rao</i>@example.com', '<b>a***<***>@example.com'],
    ['asha(c@d (e@f))@example.com', 'a***(***)@example.com'],
    ['asha (c@d) @example.com', 'a*** (***) @example.com'],
    ['Asha <asha@example.com> @priya.in', 'Asha <a***@example.com> @priya.in'],
    ['asha.(c)rao@example.com', 'a***@example.com'],
    ['Sent by Asha (work) kumar@example.com', 'Sent by Asha (work) k***@example.com'],
    ['<b>asha</b>@<i>example.com</i>', '<b>a***<***>@<i>example.com</i>'],
    ['<b><i>asha</i></b>@example.com', '<b><i>a***<***><***>@example.com'],
    ['asha<b>@</b>example.com', 'a***<***>@</b>example.com'],
    ['asha @ example . com', 'a*** @ example . com'],
    ['asha @example .com', 'a*** @example .com'],
    ['bought 5 @ market. Then sold', 'bought 5 @ market. Then sold'],
    ['5 @ 3 . 20 INR', '5 @ 3 . 20 INR'],
    ['%22asha rao%22@example.com', '***@example.com'],
    ['%2522asha rao%2522%40example.com', '***%40example.com'],
    ['to=%22asha rao%22.kumar@example.com', 't***@example.com'],
    ['%22asha rao%22.%22k b%22@example.com', '***@example.com'],
    ['%22asha%22 %22rao%22@example.com', '%22asha%22 %***@example.com'],
    ['x=%22a b%22&mail=kumar@example.com', 'x=%22a b***@example.com'],
    ['a%22sha@example.com', 'a***@example.com'],
    [String.raw`\u0022asha rao\u0022@example.com`, '***@example.com'],
    ['“asha rao”@example.com', '***@example.com'],
    ['„asha rao“.kumar@example.com', '***@example.com'],
    ['he said “hello” to kumar@example.com', 'he said “hello” to k***@example.com'],
    ['&quot;asha rao&quot@example.com', '***@example.com'],
    ['&#34asha rao&#034@example.com', '***@example.com'],
    ['&amp;quot asha rao&#x22@example.com', '***@example.com'],
    ['=?utf-8?q?asha_=40_example=2Ecom?=', '=*** =40_example=2Ecom?='],
    ['=?utf-8?Q?=22asha_rao=22=40example.com?=', '=***=40example.com?='],
    ['=?utf-8?q?caf=C3=A9_for_5?=', '=?utf-8?q?caf=C3=A9_for_5?='],
    ['size=40_thumb.jpg', 'size=40_thumb.jpg'],
    ['asha=3D40x.in', 'a***=3D40x.in'],
    [String.raw`asha\x{40}x.in`, String.raw`a***\x{40}x.in`],
    ['asha%F3%A0%81%80example.com', 'a***%F3%A0%81%80example.com'],
    ['one=40a.b@example.com', 'o***=40a***@example.com'],
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

  it('shows the first character of a local part at the most, whatever addresses and handles are joined by', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(addresses, joints), { minLength: 1, maxLength: 5 }), (parts) => {
        const text = parts.map(([address, joint]) => address + joint).join('');
        const shown = withMaskedEmails(text);
        expect(shown.match(OF_LOCAL_PARTS)?.length ?? 0, `${text} → ${shown}`).to.be.at.most(parts.length);
        expect(withMaskedEmails(shown)).to.equal(shown);
      }),
      { numRuns: 2_000 },
    );
  });

  it('shows each host that stands alone, behind the first character of its local part', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(dotStrings, signs, hosts, blanks), { minLength: 1, maxLength: 5 }), (parts) => {
        const text = parts.map((part) => part.join('')).join('');
        const expected = parts.map(([local, ...rest]) => [`${local.charAt(0)}***`, ...rest].join('')).join('');
        expect(withMaskedEmails(text)).to.equal(expected);
      }),
    );
  });

  it('shows no more of a local part whose marks are escaped for HTML, however often, than of the one that HTML shows', () => {
    const escapes = fc.constantFrom<(of: string) => string>(
      (of) => `&#${of.codePointAt(0)};`,
      (of) => `&#x${of.codePointAt(0)?.toString(16)};`,
      (of) => `&#000${of.codePointAt(0)};`,
      (of) => ({ '"': '&quot;', "'": '&apos;', '&': '&amp;' })[of] ?? of,
      (of) => of,
    );
    const escaped = fc
      .tuple(
        fc.oneof(dotStrings, quotedStrings),
        fc.array(escapes, { minLength: 1, maxLength: 4 }),
        fc.array(fc.constantFrom('&amp;', '&AMP', '&#38;', '&#038', '&#x26;', '&#X0026'), { maxLength: 3 }),
      )
      .map(([local, each, times]) => {
        const marks = local.replaceAll(/[^A-Z]/g, (of, at: number) => each[at % each.length]?.(of) ?? of);
        return times.reduce((text, ampersand) => text.replaceAll('&', ampersand), marks);
      });
    fc.assert(
      fc.property(fc.array(fc.tuple(escaped, signs, hosts, blanks), { minLength: 1, maxLength: 4 }), (parts) => {
        const text = parts.map((part) => part.join('')).join('');
        const shown = withMaskedEmails(text);
        expect(shown.match(OF_LOCAL_PARTS)?.length ?? 0, `${text} → ${shown}`).to.be.at.most(parts.length);
        expect(withMaskedEmails(shown)).to.equal(shown);
      }),
      { numRuns: 1_000 },
    );
  });

  it('leaves a text without addresses as it is, whatever is escaped in it', () => {
    const piece = fc.constantFrom('&', '&amp;', '&lt;', '&#39;', '&nbsp;', '&x;', ';', '#', 'amp;', 'a', ' ', '"');
    fc.assert(
      fc.property(fc.string({ unit: piece }), (text) => {
        expect(withMaskedEmails(text)).to.equal(text);
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

  it('takes for the beginning of a word what is behind a blank or a mark that no address holds, and nothing else', () => {
    const isWrong = (mark: string): boolean => {
      // It is an at sign.
      if (withMaskedEmails(`x${mark}`) !== `x${mark}`) return false;
      const expected = /[\s<>()[\],;:"]/.test(mark) ? `x${mark}y***@example.com` : 'x***@example.com';
      return withMaskedEmails(`x${mark}y@example.com`) !== expected;
    };
    const marks = Array.from({ length: 0x1_00_00 }, (_, code) => String.fromCharCode(code));
    expect(marks.filter(isWrong)).to.deep.equal([]);
  });

  it('cuts out nothing and matches no pattern for each at sign of a run, of which a text may be full', () => {
    for (const sign of ['@', '＠', '﹫', '\u{E0040}']) {
      const text = `asha${sign.repeat(1_000)}example.com`;
      const { matches, pieces } = workOf(text);
      expect(matches + pieces, sign).to.be.at.most(20);
      expect(withMaskedEmails(text)).to.equal(`a***${sign.repeat(1_000)}example.com`);
    }
  });

  it('matches one pattern for each at sign that is escaped in a run, and cuts out nothing', () => {
    for (const sign of ['%40', '%2540', String.raw`\u0040`, String.raw`\x40`, '&commat']) {
      const { matches, pieces } = workOf(`asha${sign.repeat(1_000)}example.com`);
      expect(matches, sign).to.be.at.most(1_020);
      expect(pieces, sign).to.be.at.most(20);
    }
  });

  it('matches no pattern for each of many short words between at signs', () => {
    for (const part of ['a@', 'a@@', 'abc@', ' @']) expect(workOf(part.repeat(1_000)).matches, part).to.be.at.most(20);
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
      '"@',
      'a"@a.b',
      '" @a.b',
      '\\\\"a',
      '"\\\\\\"@',
      '%25',
      '&amp;',
      'amp',
      '#38',
      '&#x0026',
      '&#0',
      '&quot;@',
      '&#39;a@a.b',
      '=40a.',
      ' ',
      ' @a.',
      '@a.b',
      'a=2E',
      '".',
      '"."a"@',
      ').@a.b',
      '())@a.b',
      '(()',
      '())',
      '@a.b)',
      ')@a.b(',
      '<b>@<i>',
      '%22@',
      '%22 %22.',
      'a%22@%2522.@',
      '”',
      ' .',
      'a .',
      '=?a?q?',
      '=?a?q?_=40',
      '&#34',
      '&#0034',
    ];
    for (const part of parts) {
      const text = part.repeat(250_000 / part.length);
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
