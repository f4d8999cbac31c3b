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

  it('takes logs that say no place among the others, however many they are', async () => {
    const log = { address: WALLET, topics: [], data: '0x' };
    expect(E.isRight(await saying([{ ...receipt, logs: [log, log] }, sent]))).to.equal(true);
  });

  it('takes no answer about another transaction', async () => {
    const other = `0x${'cd'.repeat(32)}`;
    for (const pair of [
      [{ ...receipt, transactionHash: other }, sent],
      [receipt, { ...sent, hash: other }],
    ] as const)
      expect(await saying(pair), JSON.stringify(pair))
        .to.have.nested.property('left.detail')
        .that.includes('another');
    const capitals = { ...receipt, transactionHash: HASH.replaceAll('ab', 'AB') };
    expect(E.isRight(await saying([capitals, sent]))).to.equal(true);
  });

  const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
  const word = (hex: string): string => hex.padStart(64, '0');
  const inTopic = (address: string): string => `0x${word(address.slice(2))}`;
  const capitals = (hex: string): string => `0x${hex.slice(2).toUpperCase()}`;
  const TOKEN = `0x${'22'.repeat(20)}`;
  const TO = `0x${'cd'.repeat(20)}`;
  const erc20 = { address: TOKEN, topics: [TRANSFER, inTopic(WALLET), inTopic(TO)], data: `0x${word('5')}` };
  const told = async (over: object, sentOver: object = {}) => {
    const looked = await saying([
      { ...receipt, ...over },
      { ...sent, value: '0x0', ...sentOver },
    ]);
    return E.isLeft(looked) ? expect.fail(looked.left.detail) : (looked.right.transfers ?? []);
  };

  it('takes for a transfer of a token what is one to the last topic and the last word of data, in any letter case', async () => {
    const its = { token: TOKEN, from: WALLET, to: TO, baseUnits: '5', status: 'success', confirmations: 5 } as const;
    expect((await told({ logs: [erc20] }))[0]).to.include(its);
    expect((await told({ logs: [{ ...erc20, topics: erc20.topics.map(capitals) }] }))[0]).to.include(its);
    for (const other of [
      { topics: [...erc20.topics, `0x${word('7')}`], data: '0x' },
      { topics: [...erc20.topics, `0x${word('7')}`] },
      { data: `0x${word('5')}${word('6')}` },
      { data: '0x' },
      { topics: [TRANSFER, `0x${'1'.padEnd(64, '0')}`, inTopic(TO)] },
    ])
      expect(await told({ logs: [{ ...erc20, ...other }] }), JSON.stringify(other)).to.deep.equal([]);
  });

  it('takes what failed for what its call was to move, in any letter case, and nothing else beside it', async () => {
    const failed = { status: '0x0' };
    const input = `0xa9059cbb${word(TO.slice(2))}${word('5')}`;
    for (const call of [input, capitals(input)])
      expect(await told(failed, { to: TOKEN, input: call }), call)
        .to.have.length(1)
        .and.have.nested.property('[0]')
        .that.includes({ token: TOKEN, to: TO, baseUnits: '5', status: 'failed' });
    // The same words behind the name of another function say something else.
    const approve = `0x095ea7b3${word(WALLET.slice(2))}${word(TO.slice(2))}${word('5')}`;
    expect((await told(failed, { to: TOKEN, input: approve }))[0]).to.include({
      token: null,
      to: TOKEN,
      baseUnits: '0',
    });
  });

  it('reads a status as the number that it is', async () => {
    for (const [status, says] of [
      ['0x1', 'success'],
      ['0x01', 'success'],
      ['0x0', 'failed'],
      ['0x2', 'failed'],
    ] as const)
      expect(await saying([{ ...receipt, status }, sent]), status).to.have.nested.property('right.mined.status', says);
  });

  it('asks anew how far a chain is where a transaction is beyond, and counts its own block at least', async () => {
    const heads = ['0x3', '0x4', '0x9'];
    const results: Readonly<Record<string, () => unknown>> = {
      eth_chainId: () => '0x89',
      eth_blockNumber: () => heads.shift(),
      eth_getTransactionReceipt: () => receipt,
      eth_getTransactionByHash: () => sent,
    };
    const post = (_url: string, body: string) => {
      const call: unknown = JSON.parse(body);
      const answer = { id: at(call, 'id'), result: results[String(at(call, 'method'))]?.() };
      return Promise.resolve(E.right({ status: 200, retryAfterMs: null, body: Buffer.from(JSON.stringify(answer)) }));
    };
    const means = { post, pause: () => Promise.resolve(), random: () => 0 };
    const { lookUp } = chainLookup(means, [{ chainId: CHAIN, url: 'http://node' }]);
    // At first the node is behind its own transaction twice.
    for (const [head, confirmations] of [
      [4, 1],
      [9, 5],
      [9, 5],
    ] as const) {
      const looked = await lookUp(CHAIN, HASH, instantOf(0));
      expect(looked).to.have.nested.property('right.head', head);
      expect(looked).to.have.nested.property('right.transfers[0].confirmations', confirmations);
    }
    expect(heads).to.deep.equal([]);
  });

  it('asks the next node of a chain from then on where one fails, and the last one again and again', async () => {
    const asked: string[] = [];
    const post = (url: string) => {
      asked.push(url);
      return Promise.resolve(E.left({ detail: 'no connection', passing: false }));
    };
    const means = { post, pause: () => Promise.resolve(), random: () => 0 };
    const nodes = ['http://a', 'http://b'].map((url) => ({ chainId: CHAIN, url }));
    const { lookUp } = chainLookup(means, nodes);
    const details: unknown[] = [];
    for (let looks = 0; looks < 2; looks += 1) details.push(at(await lookUp(CHAIN, HASH, instantOf(0)), 'left'));
    expect(details.map((left) => at(left, 'detail'))).to.deep.equal([
      'node 1: no connection; node 2: no connection',
      'node 2: no connection',
    ]);
  });

  it('finds in no block, without asking, what can be no hash of such a chain', async () => {
    const means = { post: () => expect.fail('it was asked'), pause: () => Promise.resolve(), random: () => 0 };
    const { lookUp } = chainLookup(means, [{ chainId: CHAIN, url: 'http://node' }]);
    const none = parseTxnHash('0xab') ?? expect.fail();
    expect(await lookUp(CHAIN, none, instantOf(0))).to.have.nested.property('right.mined', null);
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
