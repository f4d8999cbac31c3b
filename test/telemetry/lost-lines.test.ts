import { expect } from 'chai';
import { linesIn, LostLineCount } from '../../src/telemetry/lost-lines.ts';

describe('lines that are lost', () => {
  it('are counted by their ends', () => {
    for (const [text, lines] of [
      ['', 0],
      ['half a line', 0],
      ['a\nb\n', 2],
      ['\n', 1],
    ] as const)
      expect(linesIn(Buffer.from(text)), text).to.equal(lines);
  });

  it('are told once, with the time of the first, and again where the line that told them was lost', () => {
    let now = 0;
    const lost = new LostLineCount(() => String((now += 1)));
    expect(lost.take()).to.equal(null);
    lost.lose(0);
    lost.lose(2);
    lost.lose(3);
    const told = lost.take();
    expect(told).to.deep.equal({ lines: 5, since: '1' });
    expect(lost.take()).to.equal(null);
    lost.lose(1);
    if (told !== null) lost.putBack(told);
    expect(lost.take()).to.deep.equal({ lines: 6, since: '1' });
    expect(lost.total).to.equal(6);
  });
});
