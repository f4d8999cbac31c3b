import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { exchange } from '../support/exchange.ts';
import { keyOf, routerScene, type RouterScene } from './router-scene.ts';
import { signedInCookie } from './sign-in.ts';

const KEY = 'reader-api-key-of-at-least-24-bytes';
const BOUNDARY = 'x-boundary';

const filePart = (field: string, text: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n${text}\r\n`;

describe('a form with a file', () => {
  let scene: RouterScene;
  let cookie: string;
  let token: string;
  before(async () => {
    scene = await routerScene([keyOf('reader', KEY, ['orders:read'])]);
    cookie = await signedInCookie(scene.url, KEY);
    const page = await exchange(scene.url, { path: '/console/orders', headers: { cookie } });
    token = /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  });
  after(() => scene.close());

  const send = async (shown: string, ...files: readonly string[]): Promise<readonly [number, readonly string[]]> => {
    const field = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="token"\r\n\r\n${shown}\r\n`;
    const body = Buffer.from(`${field}${files.join('')}--${BOUNDARY}--\r\n`);
    const { status } = await exchange(scene.url, {
      method: 'POST',
      path: '/console/file',
      body,
      headers: {
        cookie,
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        'content-length': body.length,
      },
    });
    return [status, readdirSync(scene.uploads)];
  };

  it('leaves no file behind that its page does not take', async () => {
    expect(await send(token, filePart('file', 'refused'))).to.deep.equal([400, []]);
    expect(await send('another', filePart('file', 'a token that is none')), 'another token').to.deep.equal([403, []]);
    expect(await send(token, filePart('other', 'another field')), 'another field').to.deep.equal([400, []]);
    expect(await send(token, filePart('file', 'one'), filePart('file', 'two')), 'two of them').to.deep.equal([400, []]);
    expect(await send(token, filePart('a', 'one'), filePart('b', 'two')), 'two fields').to.deep.equal([400, []]);
    expect(await send(token, filePart('file', 'x'.repeat(1_001))), 'too large').to.deep.equal([400, []]);
  });
});
