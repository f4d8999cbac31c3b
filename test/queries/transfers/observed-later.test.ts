import { expect } from 'chai';
import { instantOf, type Instant } from '../../../src/domain/instant.ts';
import type { SourcedTransfer } from '../../../src/domain/transfer.ts';
import { noteTransactions, noteTransfers } from '../../../src/queries/transfers/note-transfers.ts';
import { AUTHOR } from '../../support/bank-imports.ts';
import { right } from '../../support/right.ts';
import { routeDependencies, routeDoubles } from '../../support/route-dependencies.ts';
import { sourced } from '../../support/transfers.ts';

const HEAD = 100;
const START = Date.UTC(2026, 0, 1);
const at = (minute: number): Instant => instantOf(START + minute * 60_000);
/** As versions before took it from a file: an observation of a day that is to come. */
const LATER = instantOf(Date.UTC(2099, 0, 1));

const scene = () => {
  const doubles = routeDoubles();
  const deps = routeDependencies({}, doubles);
  return {
    events: () => doubles.store.recorded().length,
    file: async (over: Partial<SourcedTransfer>) => right(await noteTransfers(deps, [sourced(over)], AUTHOR)),
    node: async (minute: number, transfers: readonly Partial<SourcedTransfer>[]) => {
      const observedAt = at(minute);
      const told = transfers.map((over) => sourced({ source: 'rpc', ...over, observedAt }));
      const [first] = told;
      const mined = first === undefined ? null : ({ block: first.block ?? 0, status: 'success' } as const);
      const whole = { head: HEAD, at: observedAt, mined };
      const { chainId, txnHash } = sourced();
      return right(await noteTransactions(deps, [{ chainId, txnHash, transfers: told, whole }], AUTHOR));
    },
    listed: async () =>
      right(await deps.readModels.transfers({ chainId: null, txnHash: null, after: null, limit: 9 })()).data.map(
        ({ status, block, source }) => `${source} ${status} ${block}`,
      ),
  };
};

describe('what is told behind an observation of later', () => {
  for (const source of ['file', 'rpc']) {
    it(`is noted once, however often a node says it, where ${source} is said to have told of later`, async () => {
      const { events, file, node } = scene();
      await file({ block: 90, observedAt: LATER, source });
      for (let minute = 0; minute < 3; minute += 1) {
        await node(minute, [{ block: 92 }]);
        expect(events(), 'as the node has it').to.equal(2);
      }
      for (let minute = 3; minute < 6; minute += 1) {
        await node(minute, []);
        expect(events(), 'in no block any more').to.equal(3);
      }
      await node(6, [{ block: 92 }]);
      expect(events(), 'and again').to.equal(4);
    });
  }

  it('is noted of an older file too, as far as its own source had not said so, and never counts', async () => {
    const { events, file, listed } = scene();
    await file({ block: 90, observedAt: at(9), source: 'rpc' });
    await file({ block: 80, observedAt: at(1) });
    await file({ block: 80, observedAt: at(2) });
    expect(events()).to.equal(2);
    await file({ block: 81, observedAt: at(3) });
    await file({ block: 80, observedAt: at(4) });
    expect(events()).to.equal(4);
    await file({ block: 80, observedAt: at(5), source: 'another file' });
    expect(events(), 'another source says it for the first time').to.equal(5);
    await file({ block: null, observedAt: at(10), source: 'rpc' });
    expect(events(), 'without a block nothing more is said').to.equal(5);
    expect(await listed()).to.deep.equal(['rpc success 90']);
  });

  it('is noted where it is final for the first time, and no other number of confirmations says anything new', async () => {
    const { events, node } = scene();
    for (const [minute, confirmations, noted] of [
      [1, 1, 1],
      [2, 127, 1],
      [3, 128, 2],
      [4, 500, 2],
    ] as const) {
      await node(minute, [{ block: 90, confirmations }]);
      expect(events(), String(confirmations)).to.equal(noted);
    }
  });
});
