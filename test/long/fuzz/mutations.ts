/** A generator of numbers in [0, 1), the same for the same seed (mulberry32). */
export const seeded = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** What parsers look for, and what is at the edge of what they take. */
const TOKENS: readonly Buffer[] = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '<',
  '>',
  '&',
  ';',
  '%',
  '/',
  '..',
  '\0',
  '\r\n',
  '\n',
  ' ',
  '\u00a0',
  '\u202e',
  'null',
  'true',
  '-',
  '-0',
  '1e400',
  '1e-400',
  '9007199254740993',
  '0x',
  'NaN',
  '\\u0000',
  '\\ud800',
  '__proto__',

  '<!DOCTYPE x [<!ENTITY a "b">]>',
  '<![CDATA[',
  ']]>',
  '<!--',
  '&a;',
  '&#0;',
  ':61:',
  ':86:',
  '-}',
  '{4:',
  'PK\u0003\u0004',

  '2026-02-30',
  '9999-12-31T23:59:60Z',
  '0000-00-00',
  '+14:00',
  'Bearer ',
  'HTTP/1.1',
  'Content-Length: 1\r\n',
  'chunked',
  '='.repeat(64),
  'a'.repeat(300),
  '9'.repeat(300),
  '['.repeat(100),
].map((text) => Buffer.from(text));

const LONGEST = 8_192;

/** Chance, as a fuzzer asks for it. */
export type Chance = {
  /** A whole number from 0, below the bound. */
  readonly below: (bound: number) => number;
  /** Whether something happens that does so many times in a thousand. */
  readonly happens: (inThousand: number) => boolean;
  readonly one: <A>(of: readonly [A, ...A[]]) => A;
  /** One of what there may be none of. */
  readonly among: <A>(of: readonly A[], otherwise: A) => A;
};

export const chanceOf = (random: () => number): Chance => {
  const below = (bound: number): number => Math.floor(random() * bound);
  return {
    below,
    happens: (inThousand) => random() * 1_000 < inThousand,
    one: (of) => of[below(of.length)] ?? of[0],
    among: (of, otherwise) => of[below(of.length)] ?? otherwise,
  };
};

/** Changes an input once to four times: pieces are changed, doubled, taken out, put in from elsewhere. */
export const changer = (corpus: readonly Buffer[], { below, among }: Chance): ((input: Buffer) => Buffer) => {
  const empty = Buffer.alloc(0);
  const piece = (of: Buffer): Buffer => {
    const from = below(of.length + 1);
    return of.subarray(from, from + below(of.length - from + 1));
  };
  const changed = (input: Buffer): Buffer => {
    const at = below(input.length + 1);
    const [before, after] = [input.subarray(0, at), input.subarray(at)];
    const into = (inserted: Buffer): Buffer => Buffer.concat([before, inserted, after]);
    switch (below(6)) {
      case 0:
        return into(among(TOKENS, empty));
      case 1:
        return into(Buffer.of(below(256)));
      case 2:
        return Buffer.concat([before, after.subarray(below(8) + 1)]);
      case 3:
        return into(piece(among(corpus, empty)));
      case 4:
        return into(piece(input));
      default: {
        const copy = Buffer.from(input);
        if (copy.length > 0) copy[Math.min(at, copy.length - 1)] = below(256);
        return copy;
      }
    }
  };
  return (input) => {
    let output = input;
    for (let left = below(4) + 1; left > 0; left -= 1) output = changed(output);
    return output;
  };
};

/** Makes inputs of a corpus that are no longer than parsers of bytes need them. */
export const mutator = (corpus: readonly Buffer[], random: () => number): (() => Buffer) => {
  const chance = chanceOf(random);
  const change = changer(corpus, chance);
  return () => change(chance.among(corpus, Buffer.alloc(0))).subarray(0, LONGEST);
};
