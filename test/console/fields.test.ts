import { expect } from 'chai';
import { itself, offeredField } from '../../src/console/fields.ts';
import { pageText, type Html } from '../../src/console/html.ts';

const words = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `W${i}`);

const field = (value: string, count: number): Html =>
  offeredField('Word', 'word', value, 'W1', words(count).map(itself));

describe('a field for one of the texts that there are', () => {
  it('is a list of them, in whatever letter case one is named', async () => {
    const text = await pageText(field('w2', 3));
    expect(text).to.include('<select name="word">').and.to.include('<option value="W2" selected>');
  });

  it('keeps a text that is not among them', async () => {
    expect(await pageText(field('else', 3))).to.include('<option value="else" selected>');
  });

  it('is typed where there are none, or more than anybody looks through', async () => {
    for (const [count, suggested] of [
      [0, 0],
      [60, null],
      [61, 60],
      [5_000, 60],
    ] as const) {
      const text = await pageText(field('W1', count));
      const options = text.match(/<option/g)?.length ?? 0;
      if (suggested === null) expect(text, String(count)).to.include('<select');
      else expect([text.includes('<input'), options], String(count)).to.deep.equal([true, suggested]);
    }
  });
});
