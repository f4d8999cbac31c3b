import { expect } from 'chai';
import { bytesText } from '../../src/console/bytes-text.ts';
import { html, pageText } from '../../src/console/html.ts';

const shown = async (bytes: Buffer, most?: number): Promise<string> => {
  const page = await pageText(bytesText(bytes, html`elsewhere`, most));
  return /<code>([^]*)<\/code>/.exec(page)?.[1] ?? '';
};

describe('bytes as text', () => {
  it('are nothing but text, with what is not seen shown by its code', async () => {
    expect(await shown(Buffer.from('<b>&"\u202e\u0000\n\tä'))).to.equal('&lt;b&gt;&amp;&quot;\\u{202e}\\u{0}\n\tä');
  });

  it('are hex digits where they are no UTF-8', async () => {
    const line = 'ff'.repeat(32);
    expect(await shown(Buffer.alloc(33, 0xff))).to.equal(`${line}\nff`);
  });

  it('end after so many characters, none of them halved', async () => {
    expect(await shown(Buffer.from('abcdef'), 6)).to.equal('abcdef');
    expect(await shown(Buffer.from('abcdefg'), 6)).to.equal('abcdef…');
    expect(await shown(Buffer.from('abcde😀'), 6)).to.equal('abcde…');
    expect(await shown(Buffer.alloc(5, 0xff), 6)).to.equal('ffffff…');
  });

  it('say so where there are none', async () => {
    expect(await pageText(bytesText(Buffer.alloc(0)))).to.include('The body is empty.');
  });
});
