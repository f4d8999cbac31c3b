import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { formFields } from '../../src/console/form-fields.ts';

const FORM = 'application/x-www-form-urlencoded';

type Found = readonly [object | string, boolean];

/** The fields that are read of a body or why there are none, and whether the connection is given up behind it. */
const read = async (body: string | Buffer, type = FORM): Promise<Found> => {
  const found = Promise.withResolvers<Found>();
  const server = createServer((req, response) => {
    let isClosed = false;
    const get = (name: string): string => String(req.headers[name.toLowerCase()] ?? '');
    const set = (): void => {
      isClosed = true;
    };
    void formFields({ req, get, set }).then((fields) => {
      found.resolve([E.isLeft(fields) ? fields.left : Object.fromEntries(fields.right), isClosed]);
      response.end();
      return undefined;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers: { 'content-type': type } });
  server.close();
  return found.promise;
};

describe('the fields of a form', () => {
  it('are read as browsers write them', async () => {
    expect(await read('key=a%2Bb+c&next=%2Fconsole&note=gr%C3%B6%C3%9Fer&empty=')).to.deep.equal([
      { key: 'a+b c', next: '/console', note: 'größer', empty: '' },
      false,
    ]);
    expect(await read('key=a', `${FORM}; charset=UTF-8`)).to.deep.equal([{ key: 'a' }, false]);
  });

  it('are none that stand there twice, of another type, of a body that is too large or not well-formed', async () => {
    expect(await read('key=a&key=b&next=c')).to.deep.equal([{ next: 'c' }, false]);
    expect(await read('key=a', 'text/plain')).to.deep.equal(['ill-formed', true]);
    expect(await read(`key=${'a'.repeat(16_384)}`)).to.deep.equal(['too-large', true]);
    for (const ill of ['key=a&b=%80', 'key=%', `key=a${'&'.repeat(256)}`, Buffer.from('key=\xff', 'latin1')])
      expect(await read(ill), String(ill)).to.deep.equal(['ill-formed', false]);
  });
});
