import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { chainLookup } from '../../../src/chain/chain-lookup.ts';
import { branded } from '../../../src/domain/brand.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { isJsonObject } from '../../../src/domain/json.ts';
import { parseNatively } from '../../../src/domain/parse-json.ts';
import { parseChainId, type TxnHash } from '../../../src/domain/transfer.ts';
import type { ChainMovement } from '../../../src/sandbox/money/chain-movements.ts';
import { chainNode } from '../../../src/sandbox/money/chain-node.ts';
import { right } from '../../support/right.ts';

const AT = Date.UTC(2026, 2, 31);
const WALLET = '0x1f9090aae28b8a3dceadf281b0f12828e676c326';

const movement = (digit: string, over: Partial<ChainMovement> = {}): ChainMovement => ({
  orderId: 'o1',
  chainId: 137,
  txnHash: `0x${digit.repeat(64)}`,
  block: 1_000,
  atMs: AT,
  succeeded: true,
  token: '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d',
  from: '0x5a9db00000000000000000000000000000000001',
  to: WALLET,
  baseUnits: 123_456_789_012_345_678_901n,
  ...over,
});

describe('a node of the sandbox', () => {
  const movements = [movement('a'), movement('b', { token: null }), movement('c', { succeeded: false })];
  const node = chainNode(137, movements, AT);
  const lookup = chainLookup(
    {
      post: (_, body) => {
        const call = parseNatively(body);
        const answer = call !== undefined && isJsonObject(call) ? node(call) : expect.fail('no call');
        return Promise.resolve(E.right({ status: 200, retryAfterMs: null, body: Buffer.from(JSON.stringify(answer)) }));
      },
      pause: () => Promise.resolve(),
      random: () => 0,
    },
    [{ chainId: parseChainId('137') ?? expect.fail(), url: 'http://127.0.0.1/' }],
  );
  const lookUp = async (digit: string) =>
    right(
      await lookup.lookUp(
        parseChainId('137') ?? expect.fail(),
        branded<TxnHash>(`0x${digit.repeat(64)}`),
        instantOf(AT),
      ),
    );

  it('tells the ledger of tokens, coins and transactions that failed, to the last unit, and of no others', async () => {
    for (const [digit, its] of [
      ['a', movements[0]],
      ['b', movements[1]],
      ['c', movements[2]],
    ] as const) {
      const { transfers } = await lookUp(digit);
      expect(transfers, digit).to.have.length(1);
      const [found] = transfers ?? [];
      expect(found).to.include({
        to: WALLET,
        token: its?.token ?? null,
        baseUnits: its?.baseUnits.toString(),
        status: its?.succeeded === true ? 'success' : 'failed',
      });
      expect(found?.confirmations).to.be.greaterThan(128);
    }
    expect((await lookUp('d')).transfers).to.equal(null);
  });

  it('refuses other methods', () => {
    expect(node({ id: 1, method: 'eth_sendTransaction', params: [] })).to.have.property('error');
  });
});
