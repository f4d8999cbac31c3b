import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { expect } from 'chai';
import { exchange } from '../support/exchange.ts';
import { until } from '../support/until.ts';
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

  it('costs no more than its length, whatever its parts begin with', async () => {
    const head = (of: string): string => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; ${of}`;
    const parts = [
      // Long enough for what is quadratic in it to take minutes.
      head(`filename="${' filename="'.repeat(180_000)}x\r\n\r\nbytes\r\n`),
      head(`filename="a.csv"\r\n${'A: b\r\n'.repeat(150_000)}\r\nbytes\r\n`),
      head(`filename="a.csv"\r\nA: ${'b'.repeat(1_000_000)}\r\n\r\nbytes\r\n`),
      '--x-boundary\r\n\r\n\r\n'.repeat(50_000),
    ];
    for (const part of parts) expect(await send(token, part)).to.deep.equal([400, []]);
  });

  it('keeps nothing of what is cut off, and of what has no end', async () => {
    const type = { cookie, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
    const text = `${filePart('file', 'begun')}--${BOUNDARY}`;
    const { status } = await exchange(scene.url, {
      method: 'POST',
      path: '/console/file',
      body: Buffer.from(text),
      headers: { ...type, 'content-length': text.length },
    });
    expect(status).to.be.oneOf([400, 403]);
    expect(readdirSync(scene.uploads)).to.deep.equal([]);
    const socket = connect(Number(new URL(scene.url).port), '127.0.0.1');
    const head = Object.entries({ ...type, host: 'localhost', 'content-length': '900' }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    socket.write(`POST /console/file HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${filePart('file', 'begun')}`);
    await until(10_000, 'a file that is begun', () =>
      Promise.resolve(readdirSync(scene.uploads).length === 1 ? true : null),
    );
    socket.destroy();
    await until(10_000, 'nothing left of it', () =>
      Promise.resolve(readdirSync(scene.uploads).length === 0 ? true : null),
    );
  });

  it('is refused, and harms nobody, where it has no boundary, or ends within a part of another field', async () => {
    const post = async (type: string, text: string): Promise<number> => {
      const headers = { cookie, 'content-type': type, 'content-length': text.length };
      return (await exchange(scene.url, { method: 'POST', path: '/console/file', body: Buffer.from(text), headers }))
        .status;
    };
    const whole = `multipart/form-data; boundary=${BOUNDARY}`;
    for (const type of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data-x; boundary=x',
      'text/plain',
    ])
      expect(await post(type, filePart('file', 'x')), type).to.equal(403);
    for (const text of [
      filePart('other', 'begun'),
      filePart('other', 'begun').slice(0, -2),
      filePart('file', 'begun').slice(0, 60),
      `--${BOUNDARY}`,
      '',
    ])
      expect(await post(whole, text), text).to.equal(403);
    expect(await send(token, filePart('file', 'refused'))).to.deep.equal([400, []]);
  });

  it('takes some files of a session at a time, so that uploads that stand still fill no disk', async () => {
    const head = [
      'POST /console/file HTTP/1.1',
      'Host: localhost',
      `Cookie: ${cookie}`,
      `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
      'Content-Length: 900',
    ].join('\r\n');
    const sockets = Array.from({ length: 12 }, () => connect(Number(new URL(scene.url).port), '127.0.0.1'));
    const answers: string[] = [];
    try {
      for (const socket of sockets) {
        socket.on('data', (data) => answers.push(data.toString().slice(0, 12)));
        socket.write(`${head}\r\n\r\n${filePart('file', 'begun')}`);
      }
      // Those that have a place are waited for, and answered nothing.
      await until(10_000, 'answers to the others', () => Promise.resolve(answers.length < 8 ? null : answers));
      expect(answers).to.deep.equal(Array.from({ length: 8 }, () => 'HTTP/1.1 503'));
      expect(readdirSync(scene.uploads)).to.have.length(4);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});
