import { expect } from 'chai';
import type { Mined } from '../../../src/chain/transfers-of.ts';
import { instantOf, type Instant } from '../../../src/domain/instant.ts';
import type { SourcedTransfer } from '../../../src/domain/transfer.ts';
import { noteTransactions, noteTransfers } from '../../../src/queries/transfers/note-transfers.ts';
import { AUTHOR } from '../../support/bank-imports.ts';
import { right } from '../../support/right.ts';
import { routeDependencies, routeDoubles } from '../../support/route-dependencies.ts';
import { sourced } from '../../support/transfers.ts';

const HEAD = 200;
const BLOCK = 190;
/** What a contract moved, of which only explorers tell. */
const COIN = { token: null, block: BLOCK, source: 'explorer' } as const;
const TOKEN = { block: BLOCK } as const;

const scene = () => {
  const doubles = routeDoubles();
  const deps = routeDependencies({}, doubles);
  let minute = 0;
  const now = (): Instant => instantOf((minute += 1) * 60_000);
  return {
    events: () => doubles.store.recorded().length,
    file: async (...told: readonly Partial<SourcedTransfer>[]) => {
      const observedAt = now();
      right(
        await noteTransfers(
          deps,
          told.map((over) => sourced({ ...over, observedAt })),
          AUTHOR,
        ),
      );
    },
    node: async (mined: Mined | null, ...told: readonly Partial<SourcedTransfer>[]) => {
      const at = now();
      const transfers = told.map((over) => sourced({ ...over, source: 'rpc', observedAt: at }));
      const { chainId, txnHash } = sourced();
      const looked = { chainId, txnHash, transfers, whole: { head: HEAD, at, mined } };
      right(await noteTransactions(deps, [looked], AUTHOR));
    },
    listed: async () =>
      right(await deps.readModels.transfers({ chainId: null, txnHash: null, after: null, limit: 9 })()).data.map(
        ({ token, status, block }) => `${token === null ? 'coin' : 'token'} ${status} ${block}`,
      ),
  };
};

const MINED = { block: BLOCK, status: 'success' } as const;

describe('a transfer that a node does not tell', () => {
  it('stands where an explorer told it and the transaction is in its block: no receipt tells what a contract moved', async () => {
    const { events, file, node, listed } = scene();
    await file(COIN, TOKEN);
    for (let looks = 0; looks < 2; looks += 1) await node(MINED, TOKEN);
    expect(await listed()).to.deep.equal(['coin success 190', 'token success 190']);
    // Of a transaction that moves nothing else a node tells no transfer at all.
    await node(MINED);
    expect((await listed())[0]).to.equal('coin success 190');
    expect(events(), 'nothing new is said').to.equal(2);
  });

  it('is dropped where the transaction failed, is in another block or in none', async () => {
    for (const mined of [null, { ...MINED, block: BLOCK + 1 }, { ...MINED, status: 'failed' as const }]) {
      const { file, node, listed } = scene();
      await file(COIN);
      await node(mined);
      expect(await listed(), JSON.stringify(mined)).to.deep.equal(['coin dropped null']);
      // What an explorer tells of it from then on is believed again: that it was dropped is nothing that a node told of.
      await file(COIN);
      await node(MINED);
      expect(await listed()).to.deep.equal(['coin success 190']);
    }
  });

  it('is dropped as long as its block can be given up, and not where the node is not as far yet', async () => {
    for (const [block, status] of [
      [HEAD - 126, 'dropped null'],
      [HEAD - 127, `success ${HEAD - 127}`],
      [HEAD, 'dropped null'],
      [HEAD + 1, `success ${HEAD + 1}`],
    ] as const) {
      const { file, node, listed } = scene();
      await file({ ...TOKEN, block });
      await node(null);
      expect(await listed(), String(block)).to.deep.equal([`token ${status}`]);
    }
  });

  it('is noted to be dropped once, also where a file says so with the block that it was in', async () => {
    const { events, file, node } = scene();
    await file({ ...TOKEN, status: 'dropped' });
    for (let looks = 0; looks < 2; looks += 1) await node(null);
    expect(events()).to.equal(1);
  });

  it('is dropped where a node told it before, whoever told it since', async () => {
    const { file, node, listed } = scene();
    await node(MINED, TOKEN);
    await file({ ...TOKEN, status: 'failed' });
    await file(TOKEN);
    await node(MINED);
    expect(await listed()).to.deep.equal(['token dropped null']);
  });
});
