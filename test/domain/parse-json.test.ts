import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { ExactNumber, isJsonNumber, isJsonObject, numberText, type JsonValue } from '../../src/domain/json.ts';
import { parseBody } from '../../src/domain/parse-json.ts';
import { jsonNumberTexts, jsonTexts, jsonValues, sameValue, spell, spellings } from '../support/arbitraries.ts';

const parse = (text: string): ReturnType<typeof parseBody> => parseBody(Buffer.from(text));

const valueOf = (text: string): JsonValue => {
  const parsed = parse(text);
  if (E.isRight(parsed)) return parsed.right.value;
  throw new Error(`refused: ${JSON.stringify(parsed.left)}`);
};

const isPlain = (text: string): boolean | null => {
  const parsed = parse(text);
  return E.isRight(parsed) ? parsed.right.plain : null;
};

const refusal = (body: Buffer | string): unknown => {
  const parsed = parseBody(Buffer.from(body));
  return E.isLeft(parsed) ? parsed.left : 'accepted';
};

/** Members in one order and each number in its own digits, so that a changed digit is a changed text. */
const inDigits = (value: JsonValue): string => {
  if (isJsonNumber(value)) return numberText(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (!isJsonObject(value)) return `[${value.map(inDigits).join(',')}]`;
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${inDigits(item)}`);
  return `{${members.toSorted().join(',')}}`;
};

const acceptedNatively = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const NOT_JSON = [{ path: '', message: 'is no JSON' }];
const TOO_DEEP = [{ path: '', message: 'nested more than 64 levels deep' }];
const NOT_UTF8 = [{ path: '', message: 'is not valid UTF-8' }];
const contradiction = (...paths: readonly string[]): unknown =>
  paths.map((path) => ({ path, message: 'came more than once with different values' }));

const nested = (levels: number, open: string, close: string): string => open.repeat(levels) + close.repeat(levels);

describe('parseBody', () => {
  it('gives every text, key and digit of any value in any spelling', () => {
    fc.assert(
      fc.property(jsonTexts, ({ value, text }) => {
        expect(inDigits(valueOf(text))).to.equal(inDigits(value));
      }),
    );
  });

  it('calls plain exactly the bodies that JSON.stringify(JSON.parse(body)) gives back byte for byte', () => {
    fc.assert(
      fc.property(jsonTexts, fc.boolean(), ({ value, text }, native) => {
        const body = native ? JSON.stringify(JSON.parse(spell(value, [0]))) : text;
        expect(isPlain(body)).to.equal(JSON.stringify(JSON.parse(body)) === body);
      }),
    );
    expect(isPlain('{"a":[1,"é\\ud800"]}')).to.equal(true);
    expect(isPlain('{"a":1 }')).to.equal(false);
  });

  it('takes for JSON exactly what JSON.parse takes', () => {
    const edits = fc.array(
      fc.tuple(fc.nat(200), fc.nat(2), fc.constantFrom(...Array.from('{}[]",:\\u0eE+-.1 \n\0tfn/'))),
      {
        maxLength: 3,
      },
    );
    fc.assert(
      fc.property(jsonTexts, edits, ({ text }, changes) => {
        const edited = changes.reduce(
          (so, [at, cut, put]) => so.slice(0, at % (so.length + 1)) + put + so.slice((at % (so.length + 1)) + cut),
          text,
        );
        const body = edited.toWellFormed();
        expect(JSON.stringify(refusal(body)) === JSON.stringify(NOT_JSON), body).to.equal(!acceptedNatively(body));
      }),
      { numRuns: 2000 },
    );
    for (const text of ['', ' ', '{', '{"a":1,}', '[1,]', '01', '1.', '.5', '+1', 'NaN', "{'a':1}", '"\t"', '"\\x"']) {
      expect(refusal(text), text).to.deep.equal(NOT_JSON);
    }
  });

  it('keeps the text of each number that a double would not give back', () => {
    fc.assert(
      fc.property(jsonNumberTexts, (text) => {
        const value = valueOf(`[ ${text}]`);
        expect(JSON.stringify(value)).to.equal(`[${text}]`);
      }),
    );
    const kept = ['1051823.6300000001', '9007199254740993', '100.00', '-0', '1e400', '1E5', '5e-324', '0.10'];
    expect(JSON.stringify(valueOf(`[${kept.join(',')}]`))).to.equal(`[${kept.join(',')}]`);
    expect(valueOf('-0')).to.deep.equal(new ExactNumber('-0'));
    expect(valueOf('5e-324')).to.equal(5e-324);
  });

  it('skips one BOM, and keeps no second copy of no body that has one', () => {
    const bom = Buffer.from('\uFEFF{"a":1}');
    expect(E.toUnion(parseBody(bom))).to.deep.equal({ value: { a: 1 }, text: '{"a":1}', plain: false });
    expect(refusal('\uFEFF\uFEFF{"a":1}')).to.deep.equal(NOT_JSON);
    expect(refusal('{"a":\uFEFF1}')).to.deep.equal(NOT_JSON);
  });

  it('refuses bytes that are no UTF-8: broken off, overlong, surrogates, UTF-16', () => {
    for (const hex of ['22c322', '22c0af22', '22eda08022', '22f4908080', '22ff22', 'fffe7b007d00']) {
      expect(refusal(Buffer.from(hex, 'hex')), hex).to.deep.equal(NOT_UTF8);
    }
    expect(valueOf('"\\ud800"')).to.equal('\ud800');
    expect(valueOf('"😀\\ud83d\\ude00"')).to.equal('😀😀');
  });

  it('takes __proto__ and its like as data', () => {
    for (const blank of ['', ' ']) {
      const value = valueOf(`{"__proto__":{"polluted":1},${blank}"constructor":{"prototype":2}}`);
      expect(Object.getPrototypeOf(value)).to.equal(Object.prototype);
      expect(JSON.stringify(value)).to.equal('{"__proto__":{"polluted":1},"constructor":{"prototype":2}}');
    }
    expect(refusal('{"__proto__":1,"__proto__":2}')).to.deep.equal(contradiction('__proto__'));
  });

  it('reads 64 levels and refuses 65, however they are nested, closed or hidden', () => {
    expect(valueOf(nested(64, '[', ']'))).to.be.an('array');
    expect(refusal(nested(65, '[', ']'))).to.deep.equal(TOO_DEEP);
    expect(valueOf(`${'{"a":'.repeat(64)}1${'}'.repeat(64)}`)).to.be.an('object');
    expect(refusal(`${'{"a": '.repeat(65)}1${'}'.repeat(65)}`)).to.deep.equal(TOO_DEEP);
    expect(refusal(`{"a":${nested(64, '[', ']')},"a":1}`)).to.deep.equal(TOO_DEEP);
    expect(refusal(nested(100_000, '[', ']'))).to.deep.equal(TOO_DEEP);
    expect(refusal(nested(250_000, '[ ', ' ]'))).to.deep.equal(TOO_DEEP);
    expect(refusal(`${'{"a":'.repeat(80_000)}1${'}'.repeat(80_000)}`)).to.deep.equal(TOO_DEEP);
    expect(refusal('['.repeat(500_000))).to.deep.equal(NOT_JSON);
    expect(valueOf(`[${'[],'.repeat(1000)}"${'[{'.repeat(1000)}\\"${'['.repeat(100)}"]`)).to.have.length(1001);
  });

  it('refuses a member that came twice with different values, at any depth, and names it; equal ones are one', () => {
    fc.assert(
      fc.property(
        jsonValues,
        jsonValues,
        spellings,
        fc.array(fc.oneof(fc.constantFrom('k', '__proto__', 'a b'), fc.nat(2)), { maxLength: 5 }),
        (one, other, choices, path) => {
          const inner = `{"x":0,"dup":${spell(one, [0])}, "y":[] ,"d\\u0075p":${spell(other, choices)}}`;
          const text = path.reduceRight<string>(
            (so, step) => (typeof step === 'number' ? `[${'1,'.repeat(step)}${so}]` : `{"${step}":${so}}`),
            inner,
          );
          const expected = sameValue(one, other) ? 'accepted' : contradiction([...path, 'dup'].join('.'));
          expect(refusal(text)).to.deep.equal(expected);
        },
      ),
    );
  });

  it('is not fooled by values that look alike', () => {
    const different = [
      '[]',
      '{}',
      '[1]',
      '{"0":1}',
      '{"source":"1.0"}',
      '1.0e1',
      '{"__proto__":{}}',
      '""',
      '0',
      'null',
    ];
    for (const a of different) {
      for (const b of different) {
        expect(refusal(`{"a":${a},"a":${b}}`), `${a} ${b}`).to.deep.equal(a === b ? 'accepted' : contradiction('a'));
      }
    }
    expect(valueOf('{"a":1,"a":1.0}')).to.deep.equal({ a: new ExactNumber('1.0') });
    expect(valueOf('{"a":{"b":1,"c":2},"a":{"c":2,"b":1e0}}')).to.be.an('object');
  });

  it('names each contradiction once, and says little of a body that is full of them', () => {
    expect(refusal('{"a":1,"a":2,"a":3,"b":[{"c":1,"c":2}]}')).to.deep.equal(contradiction('a', 'b.0.c'));
    const many = Array.from({ length: 20_000 }, (_, i) => `"k${i}":1,"k${i}":2`).join(',');
    const long = `{"${'\\u0000'.repeat(40_000)}":1,"${'\\u0000'.repeat(40_000)}":2}`;
    for (const body of [`{${many}}`, long]) {
      expect(JSON.stringify(refusal(body)).length).to.be.within(50, 30_000);
    }
  });

  it('stays quick on bodies made to be slow', () => {
    const zeros = '0'.repeat(250_000);
    for (const text of [
      `{"a":1${zeros}1,"a":1${zeros}2}`,
      `{"a":1e${'9'.repeat(100_000)},"a":1e${'9'.repeat(99_999)}8}`,
      ` "${'\\\\'.repeat(250_000)}"`,
      ` "${'\\"'.repeat(250_000)}"`,
      `{"a":"${'x'.repeat(250_000)}", "a":"${'x'.repeat(250_000)}"}`,
    ]) {
      const before = process.cpuUsage();
      refusal(text);
      expect(process.cpuUsage(before).user, text.slice(0, 12)).to.be.below(2_000_000);
    }
  });
});
