import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { JsonObject } from '../../src/domain/json.ts';
import { deliver } from '../support/exchange.ts';
import { evmNode, type EvmNode } from '../support/evm/evm-node.ts';
import { tokenCalls, tokenContract } from '../support/evm/token-contract.ts';
import { at } from '../support/naive-json.ts';
import { onRamp } from '../support/payloads.ts';
import { scriptedUpstream } from '../support/scripted-upstream.ts';
import { ask, expectOneLine, processFixture } from './process-fixture.ts';

const CHAIN = 31_337;
const RECEIVER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const OTHER = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
/** Stands for the chain's own coin in orders. */
const COIN = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

/** More digits than a number holds. */
const AMOUNT = 123_456_789_012_345_678_901_234_567n;
/** More than there are of the token. */
const TOO_MANY = 2n ** 255n;

/** What is in a list; nothing, where it is none. */
const every = (list: unknown): readonly unknown[] => (Array.isArray(list) ? Array.from<unknown>(list) : []);

describe('transfers sync', () => {
  const ledger = processFixture();
  /** Those that run: none where there is no program of it. */
  const nodes: EvmNode[] = [];
  let chain: EvmNode;
  let token: string;

  before(async () => {
    chain = await evmNode(CHAIN);
    nodes.push(chain);
    token = await chain.deploy(tokenContract());
  });
  after(() => Promise.all(nodes.map((node) => node.close())));

  const order = (txnHash: string, over: JsonObject = {}): JsonObject =>
    onRamp({ status: 'completed', chainId: CHAIN, txnHash, ...over });
  const env = (urls = `${CHAIN}=${chain.url}`) => ledger.env({ LOG_LEVEL: 'fatal', CHAIN_RPC_URLS: urls });
  const sync = async (urls?: string): Promise<unknown> => {
    const { status, out, err } = await ledger.command(['transfers', 'sync', '--json'], env(urls));
    expect([status, err]).to.deep.equal([0, '']);
    return JSON.parse(out);
  };
  const figures = (synced: unknown) => ['looked', 'found', 'missing', 'newTransfers'].map((name) => at(synced, name));
  /** What a route lists once it includes a position. */
  const listed = async (url: string, path: string, synced: unknown): Promise<readonly unknown[]> => {
    const { status, text } = await ask(url, `${path}position=${String(at(synced, 'position'))}`);
    expect(status, text).to.equal(200);
    return every(at(JSON.parse(text), 'data'));
  };
  /** The transfers of a transaction, in the order in which the chain tells of them. */
  const transfersOf = async (url: string, synced: unknown, hash: string): Promise<readonly JsonObject[]> =>
    (await listed(url, `/v1/transfers?txnHash=${hash}&`, synced)).map((one) =>
      Object.fromEntries(
        ['status', 'token', 'from', 'to', 'baseUnits'].map((name) => [name, String(at(one, name)).toLowerCase()]),
      ),
    );
  /** What the match says of an order: its state, and the codes and fields of its breaks. */
  const matched = async (url: string, synced: unknown, orderId: string): Promise<readonly unknown[]> =>
    (await listed(url, `/v1/reconciliation/items?orderId=${orderId}&`, synced)).map((item) => {
      const shown = every(at(item, 'breaks'));
      return [at(item, 'state'), ...shown.map((one) => `${String(at(one, 'code'))} ${String(at(one, 'chain'))}`)];
    });

  it('notes what a real node says: coins, tokens, several at once, other wallets and failures, to the base unit', async () => {
    const serving = await ledger.serveHere(env());
    const { sender } = chain;
    const [moves, calls] = [(input: string) => chain.send({ to: token, input }), tokenCalls];
    const sent = {
      coin: await chain.send({ to: RECEIVER, value: '0x2386f26fc10001' }),
      coinRefused: await chain.send({ to: token, value: '0x7' }),
      token: await moves(calls.transfer(RECEIVER, AMOUNT)),
      tooMany: await moves(calls.transfer(RECEIVER, TOO_MANY)),
      from: await moves(calls.transferFrom(RECEIVER, OTHER, 1n)),
      fromTooMany: await moves(calls.transferFrom(OTHER, RECEIVER, AMOUNT)),
      both: await moves(calls.payBoth(RECEIVER, OTHER, AMOUNT, 5n)),
      twice: await moves(calls.payBoth(RECEIVER, RECEIVER, 3n, 4n)),
      elsewhere: await moves(calls.transfer(OTHER, 2n)),
      contract: await chain.send({ input: tokenContract() }),
    };
    const paidIn = (address: string, wallet: string, wei: bigint): JsonObject => ({
      buyTokenAddress: address,
      receiverWalletAddress: wallet,
      transferredAmountWei: String(wei),
    });
    const orders: readonly (readonly [orderId: string, hash: string, over: JsonObject])[] = [
      ['coin', sent.coin, paidIn(COIN, RECEIVER, 10_000_000_000_000_001n)],
      ['coin-refused', sent.coinRefused, paidIn(COIN, token, 7n)],
      ['token', sent.token, paidIn(token, RECEIVER, AMOUNT)],
      ['too-many', sent.tooMany, paidIn(token, RECEIVER, TOO_MANY)],
      ['one-less', sent.from, paidIn(token, OTHER, 2n)],
      ['from-too-many', sent.fromTooMany, paidIn(token, RECEIVER, AMOUNT)],
      ['both', sent.both, paidIn(token, OTHER, 5n)],
      ['twice', sent.twice, paidIn(token, RECEIVER, 7n)],
      ['no-transfer', sent.contract, paidIn(token, RECEIVER, 1n)],
      ['other-wallet', sent.elsewhere, paidIn(token, RECEIVER, 2n)],
      ['unknown', `0x${'ab'.repeat(32)}`, {}],
      ['no-hash', 'no hash', {}],
    ];
    for (const [orderId, hash, over] of orders) await deliver(serving.url, order(hash, { orderId, ...over }));
    await deliver(serving.url, onRamp({ status: 'completed', chainId: 1, txnHash: sent.coin }));

    const synced = await sync();
    expect(figures(synced)).to.deep.equal([11, 10, 1, 11]);
    const seen = (hash: string) => transfersOf(serving.url, synced, hash);
    const moved = (to: string, baseUnits: bigint, from = sender) => ({
      status: 'success',
      token,
      from,
      to,
      baseUnits: String(baseUnits),
    });
    expect(await seen(sent.coin)).to.deep.equal([{ ...moved(RECEIVER, 10_000_000_000_000_001n), token: 'null' }]);
    expect(await seen(sent.coinRefused)).to.deep.equal([{ ...moved(token, 7n), token: 'null', status: 'failed' }]);
    expect(await seen(sent.token)).to.deep.equal([moved(RECEIVER, AMOUNT)]);
    expect(await seen(sent.tooMany)).to.deep.equal([{ ...moved(RECEIVER, TOO_MANY), status: 'failed' }]);
    expect(await seen(sent.from)).to.deep.equal([moved(OTHER, 1n, RECEIVER)]);
    expect(await seen(sent.fromTooMany)).to.deep.equal([{ ...moved(RECEIVER, AMOUNT, OTHER), status: 'failed' }]);
    expect(await seen(sent.both)).to.have.deep.members([moved(RECEIVER, AMOUNT), moved(OTHER, 5n)]);
    expect(await seen(sent.twice)).to.have.deep.members([moved(RECEIVER, 3n), moved(RECEIVER, 4n)]);
    expect(await seen(sent.contract)).to.deep.equal([]);

    const says = (orderId: string) => matched(serving.url, synced, orderId);
    for (const orderId of ['coin', 'token', 'both', 'twice'])
      expect(await says(orderId), orderId).to.deep.equal([['matched']]);
    for (const orderId of ['coin-refused', 'too-many', 'from-too-many'])
      expect(await says(orderId), orderId).to.deep.equal([['break', 'missing-on-chain failed']]);
    expect(await says('one-less')).to.deep.equal([['break', 'amount-under 1']]);
    expect(await says('other-wallet')).to.deep.equal([['break', `recipient-mismatch ${OTHER}`]]);

    expect(figures(await sync())).to.deep.equal([11, 10, 1, 0]);
    expect(at(await sync(), 'position'), 'nothing new is noted').to.equal(at(synced, 'position'));
  });

  it('looks again at blocks that a real node gives up, and no longer at what is final', async () => {
    const serving = await ledger.serveHere(env());
    const transfer = { to: token, input: tokenCalls.transfer(RECEIVER, 11n) };
    const before = await chain.call('evm_snapshot');
    const nonce = String(await chain.call('eth_getTransactionCount', chain.sender, 'latest'));
    const moved = await chain.send({ ...transfer, nonce });
    const lost = await chain.send({ ...transfer, input: tokenCalls.transfer(OTHER, 12n) });
    for (const hash of [moved, lost]) await deliver(serving.url, order(hash));
    const first = await sync();
    expect(figures(first)).to.deep.equal([2, 2, 0, 2]);
    const one = async (synced: unknown, hash: string): Promise<unknown> =>
      (await listed(serving.url, `/v1/transfers?txnHash=${hash}&`, synced))[0];
    const block = Number(at(await one(first, moved), 'block'));
    expect(await one(first, moved)).to.include({ confirmations: 2, status: 'success' });

    await chain.call('evm_revert', before);
    await chain.mine(3);
    expect(await chain.send({ ...transfer, nonce }), 'the same transaction in a later block').to.equal(moved);
    const second = await sync();
    expect(figures(second)).to.deep.equal([2, 1, 1, 0]);
    expect(await one(second, moved)).to.include({ block: block + 3, confirmations: 1, status: 'success' });
    expect(await one(second, lost)).to.include({ status: 'dropped', block: null, baseUnits: '12' });

    // The node makes the newest block anew, without what was in it.
    await chain.call('anvil_reorg', 1, []);
    const third = await sync();
    expect(figures(third)).to.deep.equal([2, 0, 2, 0]);
    expect(await one(third, moved)).to.include({ status: 'dropped', block: null });

    const kept = await chain.send({ ...transfer, input: tokenCalls.transfer(RECEIVER, 13n) });
    await deliver(serving.url, order(kept));
    await sync();
    await chain.mine(127);
    const final = await sync();
    expect(figures(final)).to.deep.equal([3, 1, 2, 0]);
    expect(await one(final, kept)).to.include({ confirmations: 128, status: 'success' });
    expect(figures(await sync()), 'what is final is not looked up again').to.deep.equal([2, 0, 2, 0]);
  });

  it('asks the next node of a chain where one fails, and again where it is busy; says no address', async () => {
    const secret = 'key-of-the-node-that-nobody-may-see';
    let busy = 0;
    const refusing = await scriptedUpstream(() => ({ status: 403 }));
    const moving = await scriptedUpstream(() => ({ status: 302, headers: { location: chain.url } }));
    const huge = await scriptedUpstream(() => ({ body: Buffer.alloc(1_100_000, ' ') }));
    const said = (body: string, result: string) => ({
      body: JSON.stringify({ id: at(JSON.parse(body), 'id'), result }),
    });
    const wrongChain = await scriptedUpstream(({ body }) => said(body, '0x1'));
    const tired = await scriptedUpstream(({ body }) => {
      busy += 1;
      return busy === 1 ? { status: 429 } : said(body, '0x7a69');
    });
    try {
      const nodes = [refusing, moving, wrongChain].map(({ url }) => `${CHAIN}=${url}/${secret}`);
      const serving = await ledger.serveHere(env());
      await deliver(serving.url, order(await chain.send({ to: RECEIVER, value: '0x5' })));
      expect(figures(await sync([...nodes, `${CHAIN}=${chain.url}`].join(',')))).to.deep.equal([1, 1, 0, 1]);
      const run = (urls: string) => ledger.command(['transfers', 'sync'], env(urls));
      const refused = await run(nodes.join(','));
      expectOneLine(
        refused,
        1,
        /^.*chain 31337.*node 1: it answers 403; node 2: it answers 302; node 3: it is a node of/,
      );
      expect(refused.err).not.to.include(secret).and.not.to.include('127.0.0.1');
      expectOneLine(await run(`${CHAIN}=${tired.url}`), 1, /receipt of a transaction can't be read/);
      expect(tired.asked.map(({ body }) => at(JSON.parse(body), 'method')).slice(0, 2)).to.deep.equal([
        'eth_chainId',
        'eth_chainId',
      ]);
      expectOneLine(await run(`${CHAIN}=${huge.url}`), 1, /more than 1 MiB/);
    } finally {
      await Promise.all([refusing, moving, huge, wrongChain, tired].map(({ close }) => close()));
    }
  });

  it('works without a ledger that serves, by a file of nodes, and says what is not configured', async () => {
    const serving = await ledger.serveHere(env());
    await deliver(serving.url, order(await chain.send({ to: RECEIVER, value: '0x7' })));
    await serving.stop();
    writeFileSync(ledger.inFolder('nodes'), `${CHAIN}=${chain.url}\n`);
    const { CHAIN_RPC_URLS: _urls, ...unset } = env();
    const alone = await ledger.command(['transfers', 'sync'], {
      ...unset,
      CHAIN_RPC_URLS_FILE: ledger.inFolder('nodes'),
    });
    expect([alone.status, alone.out]).to.deep.equal([
      0,
      '1 transactions looked up, 1 found, 0 missing; 1 new transfers\n',
    ]);
    expectOneLine(await ledger.command(['transfers', 'sync'], unset), 2, /CHAIN_RPC_URLS: it is not set/);
    expectOneLine(
      await ledger.command(['transfers', 'sync'], env('137:https://x')),
      2,
      /CHAIN_RPC_URLS: entry 1 is no chain and address; write 137=/,
    );
  });
});
