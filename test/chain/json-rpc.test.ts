import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { callNode } from '../../src/chain/json-rpc.ts';
import { at } from '../support/naive-json.ts';

/** What two calls come to, where the node answers the second in words made of the ids of both. */
const second = async (answer: (first: unknown, own: unknown) => object) => {
  const ids: unknown[] = [];
  const randoms = [0.25, 0.5];
  const means = {
    post: (_url: string, body: string) => {
      ids.push(at(JSON.parse(body), 'id'));
      const said = ids.length === 1 ? { id: ids[0], result: null } : answer(ids[0], ids[1]);
      return Promise.resolve(E.right({ status: 200, retryAfterMs: null, body: Buffer.from(JSON.stringify(said)) }));
    },
    pause: () => Promise.resolve(),
    random: () => randoms.shift() ?? 0,
  };
  const call = () => callNode(means, 'http://node', { method: 'eth_getTransactionReceipt', params: [] });
  expect(await call()).to.deep.equal(E.right(null));
  return call();
};

describe('a call of a node', () => {
  it('takes the answer with its own id', async () => {
    expect(await second((_first, id) => ({ jsonrpc: '2.0', id, result: null }))).to.deep.equal(E.right(null));
  });

  it('takes no answer to another call, nor one that says not to which: "in no block" may be said of another transaction', async () => {
    const refused = E.left('it answers another call');
    expect(await second((id) => ({ jsonrpc: '2.0', id, result: null }))).to.deep.equal(refused);
    expect(await second((_first, id) => ({ jsonrpc: '2.0', id: String(id), result: null }))).to.deep.equal(refused);
    expect(await second(() => ({ jsonrpc: '2.0', id: null, result: null }))).to.deep.equal(refused);
    expect(await second(() => ({ jsonrpc: '2.0', result: null }))).to.deep.equal(E.left('it answers no JSON-RPC'));
  });

  it('hears an error without an id: a node that could not read the call knows none', async () => {
    const error = { code: -32_600, message: 'Invalid Request' };
    expect(await second(() => ({ jsonrpc: '2.0', id: null, error }))).to.deep.equal(
      E.left('it refuses the call (-32600)'),
    );
  });

  it('is made again where what failed may pass, and not where the answer would be the same', async () => {
    for (const [passing, times] of [
      [true, 4],
      [false, 1],
    ] as const) {
      let calls = 0;
      const post = () => {
        calls += 1;
        return Promise.resolve(E.left({ detail: 'its answer has more than 1 MiB', passing }));
      };
      const means = { post, pause: () => Promise.resolve(), random: () => 0 };
      const called = await callNode(means, 'http://node', { method: 'eth_blockNumber', params: [] });
      expect(called).to.deep.equal(E.left('its answer has more than 1 MiB'));
      expect(calls).to.equal(times);
    }
  });

  it('takes no result beside an error, whatever the error is', async () => {
    for (const error of ['busy', { message: 'header not found' }, true])
      expect(await second((_first, id) => ({ id, result: null, error }))).to.deep.equal(E.left('it refuses the call'));
    expect(await second((_first, id) => ({ id, result: null, error: null }))).to.deep.equal(E.right(null));
  });

  it('is made again where a node is busy for a while, and fails where it refuses, or asks for too long a wait', async () => {
    const LIMIT = { error: { code: -32_005, message: 'too many requests' } };
    const REFUSED = { error: { code: -32_000, message: 'no' } };
    for (const [status, retryAfterMs, said, times, detail] of [
      [429, null, {}, 4, 'it answers 429'],
      [503, null, {}, 4, 'it answers 503'],
      [429, 10_000, {}, 4, 'it answers 429'],
      [429, 10_001, {}, 1, 'it answers 429'],
      [403, null, { result: null }, 1, 'it answers 403'],
      [200, null, LIMIT, 4, 'it refuses the call (-32005)'],
      [200, null, REFUSED, 1, 'it refuses the call (-32000)'],
    ] as const) {
      let calls = 0;
      const waits: number[] = [];
      const post = (_url: string, body: string) => {
        calls += 1;
        const answer = { id: at(JSON.parse(body), 'id'), ...said };
        return Promise.resolve(E.right({ status, retryAfterMs, body: Buffer.from(JSON.stringify(answer)) }));
      };
      const pause = (ms: number) => Promise.resolve(void waits.push(ms));
      const called = await callNode({ post, pause, random: () => 0 }, 'http://node', { method: 'm', params: [] });
      expect(called).to.deep.equal(E.left(detail));
      expect(calls, detail).to.equal(times);
      expect(
        waits.every((ms) => ms >= (retryAfterMs ?? 0)),
        'as long as it asks at least',
      ).to.equal(true);
    }
  });
});
