import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { chainLookup } from '../../src/chain/chain-lookup.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { parseChainId, parseTxnHash } from '../../src/domain/transfer.ts';
import { at } from '../support/naive-json.ts';

const CHAIN = parseChainId('137') ?? expect.fail();
const HASH = parseTxnHash(`0x${'ab'.repeat(32)}`) ?? expect.fail();
const WALLET = `0x${'11'.repeat(20)}`;

/** What a look at a transaction comes to where a node says such numbers of its block and of the newest one. */
const looked = (blockNumber: string, head: string) => {
  const answers: Readonly<Record<string, unknown>> = {
    eth_chainId: '0x89',
    eth_blockNumber: head,
    eth_getTransactionReceipt: { transactionHash: HASH, blockNumber, status: '0x1', logs: [] },
    eth_getTransactionByHash: { hash: HASH, from: WALLET, to: WALLET, value: '0x1', input: '0x' },
  };
  const post = (_url: string, body: string) => {
    const asked: unknown = JSON.parse(body);
    const answer = { id: at(asked, 'id'), result: answers[String(at(asked, 'method'))] };
    return Promise.resolve(E.right({ status: 200, retryAfterMs: null, body: Buffer.from(JSON.stringify(answer)) }));
  };
  const means = { post, pause: () => Promise.resolve(), random: () => 0 };
  return chainLookup(means, [{ chainId: CHAIN, url: 'http://node' }]).lookUp(CHAIN, HASH, instantOf(0));
};

describe('a look at a chain', () => {
  it('takes blocks whose numbers are exact, and no others: such a node fails', async () => {
    const most = `0x${'f'.repeat(13)}`;
    expect(await looked(most, most)).to.have.nested.property('right.transfers.0.block', Number(most));
    for (const [block, head] of [
      ['0x20000000000001', most],
      ['0x1', `0x${'f'.repeat(14)}`],
      [`0x${'f'.repeat(64)}`, most],
      ['0x', most],
    ] as const) {
      const failed = await looked(block, head);
      expect(E.isLeft(failed), `${block} ${head}`).to.equal(true);
    }
  });
});
