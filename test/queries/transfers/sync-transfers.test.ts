import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { ChainLookup, OnChain } from '../../../src/chain/chain-lookup.ts';
import { branded } from '../../../src/domain/brand.ts';
import { instantOf, type Instant } from '../../../src/domain/instant.ts';
import type { Address, ChainId, SourcedTransfer, TxnHash } from '../../../src/domain/transfer.ts';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import { noteTransfers } from '../../../src/queries/transfers/note-transfers.ts';
import { syncTransfers } from '../../../src/queries/transfers/sync-transfers.ts';
import { AUTHOR } from '../../support/bank-imports.ts';
import { onRamp } from '../../support/payloads.ts';
import { deliverUnaware } from '../../support/quarantine-scene.ts';
import { right } from '../../support/right.ts';
import { routeDependencies, routeDoubles } from '../../support/route-dependencies.ts';
import { sourced } from '../../support/transfers.ts';

const CHAIN = branded<ChainId>(137);
const HASH = branded<TxnHash>(`0x${'ab'.repeat(32)}`);
/** More than a page of what is listed. */
const MANY = 700;

describe('a look at the chains', () => {
  it('drops every transfer of a block that was given up, however many the transaction has', async () => {
    const doubles = routeDoubles();
    let most = 0;
    const append: EventStore['append'] = (stream, expected, events) => {
      most = Math.max(most, events.length);
      return doubles.store.append(stream, expected, events);
    };
    const order = onRamp({ status: 'completed', chainId: CHAIN, txnHash: HASH });
    let at = 0;
    const now = (): Instant => instantOf((at += 1));
    const deps = { ...routeDependencies({ now }, doubles), store: { ...doubles.store, append } };
    await deliverUnaware(doubles.store, Buffer.from(JSON.stringify(order)));
    const transfers = Array.from({ length: MANY }, (_, n) =>
      sourced({ txnHash: HASH, to: branded<Address>(`0x${n}`), block: 90, source: 'rpc' }),
    );
    const mined = { block: 90, status: 'success' } as const;
    let said: OnChain = { mined, transfers, head: 100 };
    const chains: ChainLookup = {
      chainIds: [CHAIN],
      lookUp: (_chain, _hash, observedAt) =>
        Promise.resolve(
          E.right(
            said.mined === null ? said : { ...said, transfers: said.transfers.map((one) => ({ ...one, observedAt })) },
          ),
        ),
    };
    const sync = async () => right(await syncTransfers(deps, chains, AUTHOR, () => undefined));
    const statuses = async () => {
      const all = { chainId: null, txnHash: null, after: null, limit: 2 * MANY };
      return new Set(
        right(await deps.readModels.transfers(all)()).data.map(({ status, block }) => `${status} ${block}`),
      );
    };
    expect(await sync()).to.include({ looked: 1, found: 1, newTransfers: MANY });
    expect(await statuses()).to.deep.equal(new Set(['success 90']));
    said = { mined: null, transfers: null, head: 100 };
    expect(await sync()).to.include({ found: 0, missing: 1, newTransfers: 0 });
    expect(await statuses()).to.deep.equal(new Set(['dropped null']));
    expect(most).to.be.at.most(250);
    // It is in a block again: the same transfers, and none that is new.
    said = { mined, transfers: transfers.toReversed(), head: 101 };
    expect(await sync()).to.include({ found: 1, newTransfers: 0 });
    expect(await statuses()).to.deep.equal(new Set(['success 90']));
  });

  /** Which transactions are looked up, where these transfers are noted and these orders have them. */
  const lookedUp = async (
    noted: readonly Partial<SourcedTransfer>[],
    orders: readonly { readonly chainId: number; readonly txnHash: string }[] = [{ chainId: CHAIN, txnHash: HASH }],
  ) => {
    const doubles = routeDoubles();
    const deps = routeDependencies({}, doubles);
    right(
      await noteTransfers(
        deps,
        noted.map((over) => sourced({ txnHash: HASH, ...over })),
        AUTHOR,
      ),
    );
    for (const order of orders)
      await deliverUnaware(doubles.store, Buffer.from(JSON.stringify(onRamp({ status: 'completed', ...order }))));
    const asked: string[] = [];
    const chains: ChainLookup = {
      chainIds: [CHAIN],
      lookUp: (_chain, hash) => {
        asked.push(hash);
        return Promise.resolve(E.right({ mined: null, transfers: null, head: 0 }));
      },
    };
    const { looked } = right(await syncTransfers(deps, chains, AUTHOR, () => undefined));
    expect(looked).to.equal(asked.length);
    return asked;
  };

  it('looks again at a transaction until a node has told that all of it is final', async () => {
    const final = { source: 'rpc', confirmations: 128 } as const;
    expect(await lookedUp([final])).to.deep.equal([]);
    for (const over of [
      { source: 'file' },
      { confirmations: 127 },
      { confirmations: null },
      { status: 'dropped' },
    ] as const)
      expect(await lookedUp([{ ...final, ...over }]), JSON.stringify(over)).to.deep.equal([HASH]);
    const many = Array.from({ length: MANY }, (_, n) => ({ ...final, to: branded<Address>(`0x${n}`) }));
    expect(await lookedUp(many)).to.deep.equal([]);
    expect(await lookedUp([...many, { confirmations: 1 }]), 'one behind the first page').to.deep.equal([HASH]);
  });

  it('looks at a transaction once, however many orders have it, and at none of orders of other chains', async () => {
    const other = `0x${'cd'.repeat(32)}`;
    expect(
      await lookedUp(
        [],
        [
          { chainId: CHAIN, txnHash: HASH },
          { chainId: CHAIN, txnHash: HASH.replaceAll('ab', 'AB') },
          { chainId: 1, txnHash: other },
        ],
      ),
    ).to.have.length(1);
  });
});
