import { expect } from 'chai';
import fc from 'fast-check';
import { pageText } from '../../src/console/html.ts';
import { shortened } from '../../src/console/shortened.ts';

const ADDRESS = '0x7d1afa7b718fb893db30a3abc0cfc608aacfebb0';

/** What is copied and read aloud: the text of the piece without its marks. */
const textIn = (page: string): string => page.replaceAll(/<[^>]*>/g, '');

describe('a shortened text', () => {
  it('shows both ends of an address or a hash, and holds the whole of it', async () => {
    const page = await pageText(shortened(ADDRESS));
    expect(page).to.include(`title="${ADDRESS}"`).and.to.include('<span class="tail">aacfebb0</span>');
    expect(page).to.match(/>\s*0x7d1afa<span class="middle">/);
    expect(textIn(page)).to.equal(ADDRESS);
  });

  it('is never another text, and none that people read is shortened', async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^(?:0x)?[0-9a-zA-Z]{0,80}$/), async (text) => {
        expect(textIn(await pageText(shortened(text)))).to.equal(text);
      }),
    );
    for (const text of [
      '412345678901',
      '6b23e277-3af8-4c07-9c3d-9774a5006fed',
      'a sentence that is long and has blanks',
    ]) {
      expect(await pageText(shortened(text))).to.equal(`<code>${text}</code>`);
    }
  });
});
