import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { AppendError, EventStore } from '../../../src/event-store/event-store.ts';
import { branded } from '../../../src/domain/brand.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import type { Address, TxnHash } from '../../../src/domain/transfer.ts';
import { importTransfers } from '../../../src/queries/transfers/import-transfers.ts';
import { noteTransfers } from '../../../src/queries/transfers/note-transfers.ts';
import type { ObservedTransfers } from '../../../src/queries/transfers/observed-transfers.ts';
import type { Position, Revision } from '../../../src/domain/ids.ts';
import { AUTHOR } from '../../support/bank-imports.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { onRamp } from '../../support/payloads.ts';
import { deliverUnaware } from '../../support/quarantine-scene.ts';
import { right } from '../../support/right.ts';
import { routeDependencies, routeDoubles } from '../../support/route-dependencies.ts';
import { sourced } from '../../support/transfers.ts';

const NOTHING_SAID = { chainId: null, token: null, decimals: null };
/** More than are noted at once. */
const OF_ONE = 1_100;
const OTHERS = 300;

const transfer = (hash: number, to: number): string =>
  JSON.stringify({
    chainId: 137,
    txnHash: `0x${hash.toString(16).padStart(64, '0')}`,
    token: `0x${'1'.repeat(40)}`,
    to: `0x${to.toString(16).padStart(40, '0')}`,
    baseUnits: '100',
    status: 'success',
  });

/** One transaction with many transfers, others among them. */
const file = (): Buffer =>
  Buffer.from(
    Array.from({ length: OF_ONE }, (_, n) => [transfer(0, n), ...(n < OTHERS ? [transfer(n + 1, n)] : [])])
      .flat()
      .join('\n'),
  );

describe('a file of transfers', () => {
  it('is noted whole, once, some hundred events at a time', async () => {
    const doubles = routeDoubles();
    const deps = routeDependencies({}, doubles);
    let most = 0;
    const append: EventStore['append'] = (stream, expected, events) => {
      most = Math.max(most, events.length);
      return deps.store.append(stream, expected, events);
    };
    const bring = importTransfers({ ...deps, store: { ...deps.store, append } }, NOTHING_SAID, file(), AUTHOR);
    const first = right(await bring());
    expect(first).to.include({ transfers: OF_ONE + OTHERS, newTransfers: OF_ONE + OTHERS });
    expect(doubles.store.recorded()).to.have.length(OF_ONE + OTHERS);
    expect(most).to.be.within(2, 250);
    expect(right(await bring())).to.deep.equal({ ...first, newTransfers: 0 });
    expect(doubles.store.recorded()).to.have.length(OF_ONE + OTHERS);
  });

  it('goes through known transactions one in a turn, which deliveries have between them', async () => {
    const doubles = routeDoubles();
    const deps = routeDependencies({}, doubles);
    right(await importTransfers(deps, NOTHING_SAID, file(), AUTHOR)());
    let [turns, isOver] = [0, false];
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const begun: number[] = [];
    const streamPages: EventStore['streamPages'] = (stream) => {
      begun.push(turns);
      return deps.store.streamPages(stream);
    };
    const again = { ...deps, store: { ...deps.store, streamPages } };
    expect(right(await importTransfers(again, NOTHING_SAID, file(), AUTHOR)())).to.include({ newTransfers: 0 });
    isOver = true;
    expect(begun).to.have.length(1 + OTHERS);
    expect(new Set(begun).size).to.equal(begun.length);
    expect(turns).to.be.greaterThan(OF_ONE / 50 + OTHERS);
  });

  it('reads what is known of a transaction once, however many of its transfers a file has', async () => {
    const doubles = routeDoubles();
    const deps = routeDependencies({}, doubles);
    const read: string[] = [];
    const streamPages: EventStore['streamPages'] = (stream) => {
      read.push(stream);
      return deps.store.streamPages(stream);
    };
    const counting = { ...deps, store: { ...deps.store, streamPages } };
    right(await importTransfers(counting, NOTHING_SAID, file(), AUTHOR)());
    expect(read).to.have.length(1 + OTHERS);
    expect(new Set(read).size).to.equal(1 + OTHERS);
  });

  it('keeps of its transactions what the next part of it may need, however many they are', async () => {
    const many = 12_000;
    const deps = routeDependencies({}, routeDoubles());
    let appended = 0;
    const used: number[] = [];
    const first = { position: branded<Position>('1'), revision: branded<Revision>(0) };
    // A store that keeps nothing, so that what grows is the import's own.
    const append: EventStore['append'] = () => {
      appended += 1;
      if (appended % (many / 4) === 0) {
        collectGarbage();
        used.push(process.memoryUsage().heapUsed);
      }
      return TE.right(first);
    };
    const lines = Array.from({ length: many }, (_, n) => transfer(n, n)).join('\n');
    const store = { ...deps.store, append };
    right(await importTransfers({ ...deps, store }, NOTHING_SAID, Buffer.from(lines), AUTHOR)());
    expect(appended).to.equal(many);
    const [before = 0, , , after = 0] = used;
    expect(after - before, 'two thirds of a KB for each transaction').to.be.lessThan((many / 2) * 1_024);
  });

  it('notes what somebody else has not meanwhile, once', async () => {
    const doubles = routeDoubles();
    const deps = routeDependencies({}, doubles);
    let appended = 0;
    const append: EventStore['append'] = (stream, expected, events) =>
      pipe(
        TE.fromTask(async () => {
          appended += 1;
          // Between the first and the second append of the file another import brings all of it.
          if (appended === 2) right(await importTransfers(deps, NOTHING_SAID, file(), AUTHOR)());
        }),
        TE.chain(() => deps.store.append(stream, expected, events)),
      );
    const raced = { ...deps, store: { ...deps.store, append } };
    right(await importTransfers(raced, NOTHING_SAID, file(), AUTHOR)());
    expect(doubles.store.recorded()).to.have.length(OF_ONE + OTHERS);
  });

  it('names a position that includes all of it, also what was known before, in whatever order it stands', async () => {
    const [known, alsoKnown, other] = [transfer(1, 1), transfer(2, 2), transfer(3, 3)];
    // As many as are read at once, but one.
    const others = Array.from({ length: 249 }, (_, n) => transfer(n + 4, n));
    for (const lines of [
      [other, known],
      [known, other],
      [other, ...others.slice(0, 9), known],
      [...others, known, alsoKnown],
    ]) {
      const { store, ...deps } = routeDependencies({}, routeDoubles());
      const bring = (all: readonly string[]) =>
        importTransfers({ ...deps, store }, NOTHING_SAID, Buffer.from(all.join('\n')), AUTHOR);
      right(await bring([known, alsoKnown])());
      expect(right(await bring(lines)()).position).to.equal(right(await store.head()()));
    }
  });

  it('fails where its store does not answer, and where others write to its transaction again and again', async () => {
    const failing = async (lost: AppendError) => {
      const deps = routeDependencies({}, routeDoubles());
      let tries = 0;
      const append: EventStore['append'] = () => {
        tries += 1;
        return tries > 50 ? expect.fail('it goes on for ever') : TE.left(lost);
      };
      const imported = await noteTransfers({ store: { ...deps.store, append } }, [sourced()], AUTHOR);
      expect(imported).to.have.nested.property('left._tag', 'StoreUnavailable');
      return tries;
    };
    expect(await failing({ _tag: 'StoreUnavailable', detail: 'away' })).to.equal(1);
    expect(await failing({ _tag: 'AppendRefused', detail: 'too large' })).to.equal(1);
    expect(await failing({ _tag: 'WrongExpectedRevision', actual: branded<Revision>(7) })).to.equal(5);
  });

  it('has the decimals of a token that an order was settled with on its chain, of no other token and of no other chain', async () => {
    const [token, hash] = [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(32)}`];
    const doubles = routeDoubles();
    const deps = routeDependencies({}, doubles);
    const order = { buyTokenAddress: token, transferredAmount: '1.5', transferredAmountWei: '1500000' };
    const settled = onRamp({ ...order, status: 'completed', chainId: 137, txnHash: hash });
    await deliverUnaware(doubles.store, Buffer.from(JSON.stringify(settled)));
    const line = (over: object): string =>
      JSON.stringify({ chainId: 137, txnHash: hash, token, to: '0xc0', amount: '2', ...over });
    const lines = [
      line({}),
      line({ token: `0x${'ef'.repeat(20)}` }),
      line({ txnHash: `0x${'12'.repeat(32)}`, chainId: 1 }),
      line({ txnHash: `0x${'12'.repeat(32)}` }),
      line({ txnHash: `0x${'34'.repeat(32)}`, decimals: 3 }),
    ];
    right(await importTransfers(deps, NOTHING_SAID, Buffer.from(lines.join('\n')), AUTHOR)());
    const all = right(await deps.readModels.transfers({ chainId: null, txnHash: null, after: null, limit: 10 })());
    expect(all.data.map(({ baseUnits }) => baseUnits)).to.have.members(['2000000', null, null, '2000000', '2000']);
  });

  it('keeps equal transfers that it has in two parts, where somebody else writes to their transaction in between', async () => {
    const doubles = routeDoubles();
    const deps = routeDependencies({}, doubles);
    let isBetween = false;
    const append: EventStore['append'] = (stream, expected, events) =>
      pipe(
        TE.fromTask(async () => {
          if (!isBetween) return;
          isBetween = false;
          right(await noteTransfers(deps, [sourced({ to: branded<Address>('0xc1'), source: 'other' })], AUTHOR));
        }),
        TE.chain(() => deps.store.append(stream, expected, events)),
      );
    const raced = { ...deps, store: { ...deps.store, append } };
    const observed: ObservedTransfers = new Map();
    right(await noteTransfers(raced, [sourced()], AUTHOR, observed));
    isBetween = true;
    expect(right(await noteTransfers(raced, [sourced()], AUTHOR, observed))).to.include({ newTransfers: 1 });
    expect(isBetween, 'the race was lost').to.equal(false);
    const told = right(await deps.readModels.transfers({ chainId: null, txnHash: null, after: null, limit: 10 })());
    expect(told.data.map(({ to }) => to)).to.have.members(['0xc0', '0xc1', '0xc0']);
  });

  it('fails where it is not had to its end, and is finished by the next import', async () => {
    const doubles = routeDoubles();
    const deps = routeDependencies({}, doubles);
    const { statementFiles } = deps;
    let asked = 0;
    const openTransfers: typeof statementFiles.openTransfers = (bytes, context) =>
      pipe(
        statementFiles.openTransfers(bytes, context),
        TE.map((opened) => ({
          ...opened,
          transfers: (from, some) => {
            asked += 1;
            return asked > 10 ? TE.left({ _tag: 'FileFailed', detail: 'ended' }) : opened.transfers(from, some);
          },
        })),
      );
    const failing = { ...deps, statementFiles: { ...statementFiles, openTransfers } };
    const cut = await importTransfers(failing, NOTHING_SAID, file(), AUTHOR)();
    expect(E.isLeft(cut) && cut.left._tag).to.equal('FileFailed');
    const { length } = doubles.store.recorded();
    expect(length).to.be.within(1, OF_ONE + OTHERS - 1);
    const rest = right(await importTransfers(deps, NOTHING_SAID, file(), AUTHOR)());
    expect(rest.newTransfers).to.equal(OF_ONE + OTHERS - length);
  });

  /** What is listed of a file's transfers once it was brought in. */
  const listed = async (deps: ReturnType<typeof routeDependencies>) =>
    right(await deps.readModels.transfers({ chainId: null, txnHash: null, after: null, limit: 10 })()).data.map(
      ({ baseUnits, status, block }) => [baseUnits, status, block],
    );
  const line = (over: object): string =>
    JSON.stringify({
      chainId: 137,
      txnHash: '0xab',
      token: '0xdac1',
      to: '0xc0',
      observedAt: '2026-09-10T06:00:00Z',
      ...over,
    });
  const bringer = () => {
    const doubles = routeDoubles();
    const deps = routeDependencies({ now: () => instantOf(Date.UTC(2026, 9, 1)) }, doubles);
    const bring = async (
      lines: readonly object[],
      said: { chainId: null; token: null; decimals: number | null } = NOTHING_SAID,
    ) => right(await importTransfers(deps, said, Buffer.from(lines.map(line).join('\n')), AUTHOR)());
    return { doubles, deps, bring };
  };

  it('that has some transfers of a transaction corrects no other, and adds those that it has more', async () => {
    const { doubles, deps, bring } = bringer();
    await bring([{ baseUnits: '1000000' }, { baseUnits: '500000' }]);
    expect(await bring([{ baseUnits: '500000' }])).to.include({ newTransfers: 0 });
    expect(doubles.store.recorded()).to.have.length(2);
    expect(await bring([{ baseUnits: '500000' }, { baseUnits: '500000' }, { baseUnits: '1000000' }])).to.include({
      newTransfers: 1,
    });
    expect((await listed(deps)).map(([baseUnits]) => baseUnits)).to.deep.equal(['1000000', '500000', '500000']);
  });

  it('is noted where it says more of the same moment, under an id of its own, and once', async () => {
    const { doubles, deps, bring } = bringer();
    await bring([{ amount: '1.5' }]);
    expect(await listed(deps)).to.deep.equal([[null, 'success', null]]);
    const inUnits = { ...NOTHING_SAID, decimals: 6 };
    expect(await bring([{ amount: '1.5' }], inUnits)).to.include({ newTransfers: 0 });
    expect(await listed(deps)).to.deep.equal([['1500000', 'success', null]]);
    for (const said of [NOTHING_SAID, inUnits, NOTHING_SAID]) await bring([{ amount: '1.5' }], said);
    expect(doubles.store.recorded().map(({ id }) => id)).to.have.length(2);
    for (const baseUnits of ['5', '7', '5', '7']) await bring([{ baseUnits }]);
    const ids = doubles.store.recorded().map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).to.deep.equal([4, 4]);
  });

  it('corrects a figure in tokens where nothing says how many decimals there are, and says nothing new in another spelling', async () => {
    const { doubles, deps, bring } = bringer();
    const figures = async () =>
      right(await deps.readModels.transfers({ chainId: null, txnHash: null, after: null, limit: 10 })()).data.map(
        ({ amount, baseUnits }) => [amount, baseUnits],
      );
    await bring([{ amount: '5' }]);
    await bring([{ amount: '6', observedAt: '2026-09-11T06:00:00Z' }]);
    expect(await figures()).to.deep.equal([['6', null]]);
    await bring([{ amount: '6.0', observedAt: '2026-09-12T06:00:00Z' }]);
    expect(doubles.store.recorded()).to.have.length(2);
    await bring([{ amount: '6', baseUnits: '6000000', observedAt: '2026-09-13T06:00:00Z' }]);
    await bring([{ amount: '6.01', observedAt: '2026-09-14T06:00:00Z' }]);
    expect(await figures(), 'an explorer rounds what is known to the last digit').to.deep.equal([[null, '6000000']]);
  });

  it('means the same transfers however many others stand before those of a transaction', async () => {
    for (const others of [0, 249, 499, 997]) {
      const { doubles, bring, deps } = bringer();
      await bring([{ baseUnits: '100' }]);
      const [first] = doubles.store.recorded();
      const before = Array.from({ length: others }, (_, at) => ({ txnHash: `0xcd${at}`, baseUnits: '1' }));
      await bring([...before, { baseUnits: '200' }, { baseUnits: '300' }, { baseUnits: '400' }, { baseUnits: '100' }]);
      const { data } = right(
        await deps.readModels.transfers({
          chainId: null,
          txnHash: branded<TxnHash>('0xab'),
          after: null,
          limit: 500,
        })(),
      );
      expect(data.map(({ baseUnits }) => baseUnits)).to.deep.equal(['100', '200', '300', '400']);
      expect(doubles.store.recorded().filter(({ stream }) => stream === first?.stream)).to.have.length(4);
    }
  });

  it('shows the newest look at each, in whatever order the looks come', async () => {
    const looks = [
      { baseUnits: '5', block: 1, observedAt: '2026-09-10T06:00:00Z' },
      { baseUnits: '5', block: 2, observedAt: '2026-09-10T07:00:00Z' },
      { baseUnits: '5', block: 3, observedAt: '2026-09-10T08:00:00Z', status: 'failed' },
    ];
    for (const order of [looks, looks.toReversed()]) {
      const { deps, bring } = bringer();
      for (const look of order) await bring([look]);
      expect(await listed(deps)).to.deep.equal([['5', 'failed', 3]]);
    }
  });
});
