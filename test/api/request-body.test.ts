import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { jsonIn } from '../../src/api/json-body.ts';
import { illFormed } from '../../src/queries/failure/query-failure.ts';
import { requestBody, type BodyUnread } from '../../src/http/request-body.ts';

const Note = t.exact(t.intersection([t.type({ note: t.string }), t.partial({ despite: t.array(t.string) })]));

const read = (text: string): unknown => {
  const found = jsonIn(Note, Buffer.from(text));
  return E.isLeft(found) ? found.left.parameter : found.right;
};

describe('a JSON body', () => {
  it('is read by its codec, and the first member that is wrong is named', () => {
    expect(read('{"note":"n","despite":["a"],"more":1}')).to.deep.equal({ note: 'n', despite: ['a'] });
    expect([read(''), read('{}'), read('{"note":5}')]).to.deep.equal(['note', 'note', 'note']);
    expect(read('{"note":"n","despite":[1]}')).to.equal('despite');
    expect([read('no'), read('[]'), read('null')]).to.deep.equal(['body', 'body', 'body']);
  });

  it('has no member of a list looked at that has more than any may: each that is wrong is an error of its own', () => {
    let looks = 0;
    const Counted = new t.Type<number>(
      'Counted',
      (u): u is number => typeof u === 'number',
      (u, context) => {
        looks += 1;
        return t.number.validate(u, context);
      },
      t.identity,
    );
    const Body = t.partial({ with: t.readonlyArray(Counted) });
    const of = (count: number): unknown => jsonIn(Body, Buffer.from(JSON.stringify({ with: Array(count).fill(1) })));
    expect([of(1_000), looks]).to.deep.equal([E.right({ with: Array(1_000).fill(1) }), 1_000]);
    expect(of(1_001)).to.deep.equal(E.left(illFormed('with', 'at most 1000 members')));
    expect(looks).to.equal(1_000);
  });
});

describe('the bytes of a body', () => {
  const MOST = 3_000_000;

  /** What is read of a body that is sent in parts; its length said before, or not. */
  const sent = async (parts: readonly Buffer[], saysLength: boolean): Promise<E.Either<string, Buffer>> => {
    const read = Promise.withResolvers<E.Either<string, Buffer>>();
    const server = createServer((request, response) => {
      void requestBody(request, MOST)().then((came) => {
        read.resolve(E.mapLeft(({ code }: BodyUnread) => code)(came));
        response.end();
        return undefined;
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const headers = saysLength ? { 'content-length': length } : { 'transfer-encoding': 'chunked' };
    const client = request({ port, host: '127.0.0.1', method: 'POST', headers }).on('error', () => undefined);
    for (const part of parts) client.write(part);
    client.end();
    const came = await read.promise;
    client.destroy();
    server.close();
    return came;
  };

  it('are those that were sent, in however many parts they come, and whether their length was said before', async () => {
    const sizes = [[0], [5], [1_048_576], [1_048_577], [700_000, 700_000, 1], [1, 2_500_000, 499_999], [MOST]];
    for (const ofParts of sizes) {
      const parts = ofParts.map((size) => randomBytes(size));
      for (const saysLength of [true, false]) {
        const came = await sent(parts, saysLength);
        expect(E.isRight(came) && came.right.equals(Buffer.concat(parts)), `${ofParts.join()} ${saysLength}`).to.equal(
          true,
        );
      }
    }
  });

  it('are refused beyond the most, at once where their length says so', async () => {
    for (const saysLength of [true, false]) {
      expect(await sent([Buffer.alloc(MOST), Buffer.alloc(1)], saysLength)).to.deep.equal(E.left('body-too-large'));
    }
  });
});
