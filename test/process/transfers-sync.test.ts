import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { JsonObject } from '../../src/domain/json.ts';
import { deliver } from '../support/exchange.ts';
import { evmNode, type EvmNode } from '../support/evm-node.ts';
import { at } from '../support/naive-json.ts';
import { onRamp } from '../support/payloads.ts';
import { scriptedUpstream } from '../support/scripted-upstream.ts';
import { ask, expectOneLine, processFixture } from './process-fixture.ts';

const CHAIN = 31_337;
const [SENDER, RECEIVER] = ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'];
const TOKEN = '0x00000000000000000000000000000000000000aa';
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** More digits than a number holds. */
const AMOUNT = 123_456_789_012_345_678_901_234_567n;

const word = (digits: string): string => digits.padStart(64, '0');
const amountWord = word(AMOUNT.toString(16));
const callOfTransfer = `0xa9059cbb${word(RECEIVER.slice(2))}${amountWord}`;
const transferLog = {
  address: TOKEN,
  topics: [TRANSFER_TOPIC, `0x${word(SENDER.slice(2))}`, `0x${word(RECEIVER.slice(2))}`],
  data: `0x${amountWord}`,
};
/** An NFT's: the id is indexed, whatever stands beside it. */
const nftLog = { ...transferLog, topics: [...transferLog.topics, `0x${amountWord}`], data: `0x${word('7')}` };

describe('transfers sync', () => {
  const ledger = processFixture();
  let chain: EvmNode;

  before(async () => {
    chain = await evmNode(CHAIN, SENDER);
  });
  after(() => chain.close());

  const order = (txnHash: string, over: JsonObject = {}): JsonObject =>
    onRamp({ status: 'completed', chainId: CHAIN, txnHash, ...over });
  const env = (urls = `${CHAIN}=${chain.url}`) => ledger.env({ LOG_LEVEL: 'fatal', CHAIN_RPC_URLS: urls });
  const sync = async (urls?: string): Promise<unknown> => {
    const { status, out, err } = await ledger.command(['transfers', 'sync', '--json'], env(urls));
    expect([status, err]).to.deep.equal([0, '']);
    return JSON.parse(out);
  };
  const figures = (synced: unknown) => ['looked', 'found', 'missing', 'newTransfers'].map((name) => at(synced, name));
  /** The transfers that the ledger lists once it includes a position, by their transactions. */
  const listed = async (url: string, synced: unknown): Promise<ReadonlyMap<string, unknown>> => {
    const { text } = await ask(url, `/v1/transfers?position=${String(at(synced, 'position'))}`);
    const data: unknown = at(JSON.parse(text), 'data');
    return new Map((Array.isArray(data) ? data : []).map((one: unknown) => [String(at(one, 'txnHash')), one]));
  };

  it('notes coins and tokens of the chain, failed ones and blocks that are given up, beside a ledger that serves', async () => {
    const serving = await ledger.serve(env());
    const coin = chain.send({ to: RECEIVER, value: '0x2386f26fc10000' });
    const token = chain.send({ to: TOKEN, input: callOfTransfer }, [nftLog, transferLog]);
    const failed = chain.send({ to: TOKEN, input: callOfTransfer, fails: true });
    const unknown = `0x${'ab'.repeat(32)}`;
    for (const hash of [coin, token, token, failed, unknown, 'no hash']) await deliver(serving.url, order(hash));
    await deliver(serving.url, onRamp({ status: 'completed', chainId: 1, txnHash: coin }));

    const synced = await sync();
    expect(figures(synced)).to.deep.equal([4, 3, 1, 3]);
    const position = String(at(synced, 'position'));
    const byHash = await listed(serving.url, synced);
    const common = { chainId: CHAIN, from: SENDER, amount: null, source: 'rpc', status: 'success' };
    expect(byHash.get(coin)).to.include({ ...common, token: null, to: RECEIVER, baseUnits: '10000000000000000' });
    const shown = byHash.get(token);
    expect(String(at(shown, 'from')).toLowerCase()).to.equal(SENDER);
    expect(String(at(shown, 'to')).toLowerCase()).to.equal(RECEIVER);
    expect(shown).to.include({ token: TOKEN, baseUnits: AMOUNT.toString(), status: 'success' });
    expect(byHash.get(failed)).to.include({ status: 'failed', token: TOKEN, baseUnits: AMOUNT.toString() });

    expect(figures(await sync())).to.deep.equal([4, 3, 1, 0]);
    expect(at(await sync(), 'position')).to.equal(position);

    const lost = chain.send({ to: RECEIVER, value: '0x1' });
    await deliver(serving.url, order(lost));
    expect(figures(await sync())).to.deep.equal([5, 4, 1, 1]);
    chain.drop(lost);
    chain.mine(3);
    const without = await sync();
    expect(figures(without)).to.deep.equal([5, 3, 2, 0]);
    const dropped = (await listed(serving.url, without)).get(lost);
    expect(dropped).to.include({ status: 'dropped', block: null, baseUnits: '1' });

    chain.mine(128);
    expect(figures(await sync())).to.deep.equal([5, 3, 2, 0]);
    expect(figures(await sync()), 'what is final is not looked up again').to.deep.equal([2, 0, 2, 0]);
  });

  it('asks the next node of a chain where one fails, and again where it is busy; says no address', async () => {
    const secret = 'key-of-the-node-that-nobody-may-see';
    let busy = 0;
    const refusing = await scriptedUpstream(() => ({ status: 403 }));
    const moving = await scriptedUpstream(() => ({ status: 302, headers: { location: chain.url } }));
    const huge = await scriptedUpstream(() => ({ body: Buffer.alloc(1_100_000, ' ') }));
    const wrongChain = await scriptedUpstream(() => ({ body: JSON.stringify({ result: '0x1' }) }));
    const tired = await scriptedUpstream(() => {
      busy += 1;
      return busy === 1 ? { status: 429 } : { body: JSON.stringify({ result: '0x7a69' }) };
    });
    try {
      const nodes = [refusing, moving, wrongChain].map(({ url }) => `${CHAIN}=${url}/${secret}`);
      const serving = await ledger.serve(env());
      await deliver(serving.url, order(chain.send({ to: RECEIVER, value: '0x5' })));
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
    const serving = await ledger.serve(env());
    await deliver(serving.url, order(chain.send({ to: RECEIVER, value: '0x7' })));
    serving.signal('SIGTERM');
    await serving.finished;
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
