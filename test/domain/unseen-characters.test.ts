import { expect } from 'chai';
import { withUnseenShown } from '../../src/domain/unseen-characters.ts';

const marked = (text: string): string => withUnseenShown(text, () => '?');

describe('characters that nobody sees', () => {
  const unseen: readonly (readonly [string, string])[] = [
    ['controls', '\u001b[2J\u0000\u009b'],
    ['marks of direction', '\u061c\u200e\u202e\u2066'],
    ['beginnings of lines', '\u2028\u2029'],
    ['blanks without width', '\u200b\u2060\ufeff'],
    ['soft hyphens and fillers', '\u00ad\u034f\u115f\u3164\uffa0'],
    ['the pattern of braille without a dot', '\u2800'],
    ['tags', '\u{e0041}\u{e007f}'],
    ['marks of annotations', '\ufff9\ufffb'],
  ];
  for (const [what, characters] of unseen) {
    it(`are shown: ${what}`, () => {
      for (const character of characters.replaceAll('[2J', ''))
        expect(marked(`4123${character}4567`)).to.equal('4123?4567');
    });
  }

  it('are shown where a joiner or a selector of a variant has nothing to join or select', () => {
    for (const character of ['\u200c', '\u200d', '\ufe0e', '\ufe0f', '\u{e0100}']) {
      expect(marked(character)).to.equal('?');
      for (const before of ['a', '7', ' ', 'é', 'ж']) expect(marked(`${before}${character}b`)).to.equal(`${before}?b`);
    }
  });

  it('are none in names and pictures that are written with joiners and selectors', () => {
    for (const text of [
      'क्\u200dष',
      'نمی\u200cخواهم',
      '👨\u200d👩\u200d👧',
      '❤\ufe0f',
      '1\ufe0f\u20e3',
      '🏳\ufe0f\u200d🌈',
      '👍🏽',
      'é ₹ ß',
    ])
      expect(marked(text)).to.equal(text);
  });
});
