import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { jsonIn } from '../../src/api/request-body.ts';

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
});
