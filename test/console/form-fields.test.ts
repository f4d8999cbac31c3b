import { once } from 'node:events';
import { createServer, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { formReader, OF_ANYBODY, OF_SIGNED_IN } from '../../src/console/form-fields.ts';
import { loopTurns } from '../support/loop-turns.ts';

const FORM = 'application/x-www-form-urlencoded';

/** The fields that are read of a body, and whether the connection is given up behind it. */
const read = async (body: string, type = FORM, bounds = OF_SIGNED_IN): Promise<readonly [object, boolean]> => {
  const found = Promise.withResolvers<readonly [object, boolean]>();
  const server = createServer((req, response) => {
    let isClosed = false;
    const get = (name: string): string => String(req.headers[name.toLowerCase()] ?? '');
    const set = (): void => {
      isClosed = true;
    };
    void formReader()({ req, get, set }, 'somebody', bounds).then((fields) => {
      found.resolve([Object.fromEntries(fields), isClosed]);
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

  it('are none that stand there twice, of another type, or of a body that is too large', async () => {
    expect(await read('key=a&key=b&next=c')).to.deep.equal([{ next: 'c' }, false]);
    expect(await read('key=a', 'text/plain')).to.deep.equal([{}, true]);
    expect(await read(`key=${'a'.repeat(16_384)}`)).to.deep.equal([{}, true]);
  });

  it('are none where an escape is ill-formed, or where there are more than may be', async () => {
    for (const body of ['key=a&x=%80', 'key=%zz', 'key=a&%', 'key=%C3&x=%A4'])
      expect(await read(body)).to.deep.equal([{}, false]);
    const fields = (many: number): string => Array.from({ length: many }, (_, n) => `f${n}=`).join('&');
    expect(Object.keys((await read(fields(8), FORM, OF_ANYBODY))[0])).to.have.length(8);
    expect(await read(fields(9), FORM, OF_ANYBODY)).to.deep.equal([{}, false]);
    expect(await read(`key=${'a'.repeat(8_192)}`, FORM, OF_ANYBODY)).to.deep.equal([{}, true]);
  });

  it('are read one form in each turn of the loop though all have come, and of those who send few before many of one', async () => {
    const readForm = formReader();
    const turns = loopTurns();
    const seen: { readonly who: string; readonly turn: number }[] = [];
    const sent = ['many', 'many', 'many', 'many', 'few'].map(async (who) => {
      const req = new IncomingMessage(new Socket());
      req.headers = { 'content-type': FORM };
      req.push('token=a');
      req.push(null);
      const form = await readForm({ req, get: () => FORM, set: () => undefined }, who, OF_ANYBODY);
      expect([...form]).to.deep.equal([['token', 'a']]);
      seen.push({ who, turn: turns.now() });
    });
    await Promise.all(sent);
    turns.stop();
    expect(new Set(seen.map(({ turn }) => turn)).size).to.equal(sent.length);
    expect(seen.findIndex(({ who }) => who === 'few')).to.be.lessThan(3);
  });
});
