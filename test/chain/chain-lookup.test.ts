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

  const receipt = { transactionHash: HASH, blockNumber: '0x5', status: '0x1', logs: [] };
  const sent = { hash: HASH, from: WALLET, to: WALLET, value: '0x1', input: '0x', blockNumber: '0x5' };

  /** What a look comes to where a node says these of a transaction, one after the other, and the last ones from then on. */
  const saying = (...said: readonly (readonly [unknown, unknown])[]) => {
    const asked = { receipt: 0, transaction: 0 };
    const nth = (at: number) => said[Math.min(at, said.length - 1)] ?? expect.fail();
    const results: Readonly<Record<string, () => unknown>> = {
      eth_chainId: () => '0x89',
      eth_blockNumber: () => '0x9',
      eth_getTransactionReceipt: () => nth(asked.receipt++)[0],
      eth_getTransactionByHash: () => nth(asked.transaction++)[1],
    };
    const post = (_url: string, body: string) => {
      const call: unknown = JSON.parse(body);
      const answer = { id: at(call, 'id'), result: results[String(at(call, 'method'))]?.() };
      return Promise.resolve(E.right({ status: 200, retryAfterMs: null, body: Buffer.from(JSON.stringify(answer)) }));
    };
    const means = { post, pause: () => Promise.resolve(), random: () => 0 };
    return chainLookup(means, [{ chainId: CHAIN, url: 'http://node' }]).lookUp(CHAIN, HASH, instantOf(0));
  };

  it('does not believe that a transaction is in no block where the same node names its block', async () => {
    for (const pair of [
      [null, sent],
      [receipt, null],
      [receipt, { ...sent, blockNumber: '0x6' }],
      // Two blocks of one height: the chain is giving one of them up.
      [
        { ...receipt, blockHash: `0x${'1a'.repeat(32)}` },
        { ...sent, blockHash: `0x${'2b'.repeat(32)}` },
      ],
    ] as const) {
      expect(E.isLeft(await saying(pair)), JSON.stringify(pair)).to.equal(true);
      expect(await saying(pair, [receipt, sent])).to.have.nested.property('right.transfers.0.block', 5);
    }
    for (const nowhere of [
      [null, null],
      [null, { ...sent, blockNumber: null }],
    ] as const)
      expect(await saying(nowhere)).to.have.nested.property('right.transfers', null);
  });

  it('takes no logs that were removed, or are of another transaction or block', async () => {
    const blockHash = `0x${'1A'.repeat(32)}`;
    const placed = { ...receipt, blockHash: blockHash.toLowerCase() };
    const own = { removed: false, transactionHash: HASH, blockNumber: '0x5', blockHash, logIndex: '0x1' };
    const log = { address: WALLET, topics: [], data: '0x', ...own };
    const next = { ...log, logIndex: '0x2' };
    expect(E.isRight(await saying([{ ...placed, logs: [log, next] }, sent]))).to.equal(true);
    for (const other of [
      { removed: true },
      { removed: 'true' },
      { transactionHash: `0x${'cd'.repeat(32)}` },
      { blockNumber: '0x4' },
      { blockHash: `0x${'2b'.repeat(32)}` },
      { logIndex: '0x2' },
    ]) {
      const failed = await saying([{ ...placed, logs: [{ ...log, ...other }, next] }, sent]);
      expect(E.isLeft(failed), JSON.stringify(other)).to.equal(true);
    }
  });

  it('notes of a transaction that failed what it called, where it moves nothing that can be read', async () => {
    const failed = { ...receipt, status: '0x0' };
    const call = { ...sent, value: '0x0', input: '0xdeadbeef' };
    expect(await saying([failed, call]))
      .to.have.nested.property('right.transfers[0]')
      .that.includes({
        status: 'failed',
        token: null,
        to: WALLET,
        baseUnits: '0',
      });
    expect(await saying([receipt, call])).to.have.deep.nested.property('right.transfers', []);
    expect(await saying([failed, { ...call, to: null }])).to.have.deep.nested.property('right.transfers', []);
  });
});
