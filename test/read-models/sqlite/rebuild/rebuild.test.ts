import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { branded } from '../../../../src/domain/brand.ts';
import { orderStream, type OrderId, type StreamName } from '../../../../src/domain/ids.ts';
import { instantOf } from '../../../../src/domain/instant.ts';
import type { StoreUnavailable } from '../../../../src/event-store/event-store.ts';
import { EVERY_ORDER } from '../../../../src/read-models/order-filter.ts';
import { catchUp } from '../../../../src/read-models/runner.ts';
import { openForWriting } from '../../../../src/read-models/sqlite/generation.ts';
import { Generations } from '../../../../src/read-models/sqlite/generations.ts';
import { openTarget } from '../../../../src/read-models/sqlite/open-target.ts';
import { rebuild, type RebuildDeps, type RebuildFailure } from '../../../../src/read-models/sqlite/rebuild/rebuild.ts';
import { openQueries } from '../../../../src/read-models/sqlite/open-queries.ts';
import { contentOf } from '../../../support/generation-content.ts';
import { playedLedger, scripts, type PlayedLedger } from '../../../support/ledger-script.ts';
import { onRamp } from '../../../support/payloads.ts';
import { right } from '../../../support/right.ts';
import { QUIET, rebuildDeps, there } from '../../../support/sqlite-read-models.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const ZONE = 'Europe/London';

/** Called before each read of a store; what it answers instead, or null. */
type BeforeRead = () => Promise<StoreUnavailable | null>;

/** A store whose reads are preceded by something. */
const disturbed = (store: RebuildDeps['store'] & Parameters<typeof rebuildDeps>[0], before: BeforeRead) => {
  const first =
    <A>(read: TE.TaskEither<StoreUnavailable, A>): TE.TaskEither<StoreUnavailable, A> =>
    async () => {
      const away = await before();
      return away === null ? read() : E.left(away);
    };
  return {
    ...store,
    head: () => first(store.head()),
    streamParts: () => first(store.streamParts()),
    readAt: (...args: Parameters<typeof store.readAt>) => first(store.readAt(...args)),
    readPart: (...args: Parameters<typeof store.readPart>) => first(store.readPart(...args)),
    readStream: (...args: Parameters<typeof store.readStream>) => first(store.readStream(...args)),
    readHeaders: async function* (...args: Parameters<typeof store.readHeaders>) {
      for await (const page of store.readHeaders(...args)) {
        const away = await before();
        yield away === null ? page : E.left(away);
      }
    },
    subscribe: async function* (...args: Parameters<typeof store.subscribe>) {
      for await (const batch of store.subscribe(...args)) {
        const away = await before();
        yield away === null ? batch : E.left(away);
      }
    },
  };
};

const AWAY: StoreUnavailable = { _tag: 'StoreUnavailable', detail: 'away' };

const failure = <A>(result: E.Either<RebuildFailure, A>): string => (E.isLeft(result) ? result.left._tag : 'success');

describe('a rebuild', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let file: string;
  let generations: Generations;
  let ledger: PlayedLedger;

  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder.path, 'read-models.db');
    generations = right(Generations.open(file));
    ledger = playedLedger();
  });
  afterEach(() => {
    generations.close();
    folder.remove();
  });

  const files = (): readonly string[] => readdirSync(folder.path).toSorted();
  const onlyServing = (): readonly string[] =>
    ['', '.build-lock', `.g${generations.serving()}`].map((suffix) => `read-models.db${suffix}`);

  /** What serves, as it is in its file. */
  const content = (): unknown => {
    const database = openForWriting(generations.fileOf(generations.serving()));
    try {
      return contentOf(database);
    } finally {
      database.close();
    }
  };

  const deps = (store = ledger.store, timeZone = ZONE): RebuildDeps => rebuildDeps(store, generations, timeZone);

  const follow = async (): Promise<void> => {
    const target = there(openTarget(generations, ZONE));
    right(await catchUp(ledger.store, target, right(await ledger.store.head()()), QUIET));
    target.close();
  };

  it('takes nothing into use where another ledger serves by the time it is done, and leaves nothing', async () => {
    right(await rebuild(deps()));
    const serving = generations.serving();
    const refused = await rebuild({ ...deps(), refusal: () => 'it is in use by another ledger' });
    expect(failure(refused)).to.equal('ReadModelsUnavailable');
    expect(generations.serving()).to.equal(serving);
    expect(files()).to.deep.equal(onlyServing());
  });

  it('beside a ledger that goes on loses nothing', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(30), fc.nat(20), fc.nat(6), async (steps, split, every) => {
        ledger = playedLedger();
        await ledger.play(steps.slice(0, split));
        right(await rebuild(deps()));
        let [next, reads] = [split, 0];
        const goOn = async (): Promise<void> => {
          await ledger.play(steps.slice(next, next + 1));
          next += 1;
          await follow();
        };
        const store = disturbed(ledger.store, async () => {
          reads += 1;
          if (reads % (every + 1) === 0) await goOn();
          return null;
        });
        right(await rebuild({ ...deps(), ...rebuildDeps({ ...ledger.store, ...store }, generations, ZONE) }));
        await follow();
        const kept = content();
        right(await rebuild(deps()));
        expect(content()).to.deep.equal(kept);
        expect(files()).to.deep.equal(onlyServing());
      }),
      { numRuns: 15 },
    );
  });

  // A list of the match goes on behind an order by its number, which is another one then (src/read-models/sqlite/match/match-query.ts).
  it('numbers orders anew in the order in which they were numbered before', async () => {
    const numbered = (): readonly unknown[] => {
      const database = openForWriting(generations.fileOf(generations.serving()));
      try {
        return database.prepare('SELECT order_id FROM orders ORDER BY no').pluck().all();
      } finally {
        database.close();
      }
    };
    await fc.assert(
      fc.asyncProperty(scripts(30), fc.nat(20), async (steps, split) => {
        ledger = playedLedger();
        await ledger.play(steps.slice(0, split));
        right(await rebuild(deps()));
        for (const step of steps.slice(split)) {
          await ledger.play([step]);
          await follow();
        }
        const before = numbered();
        right(await rebuild(deps()));
        expect(numbered()).to.deep.equal(before);
      }),
      { numRuns: 15 },
    );
  });

  it('whose store fails at any read leaves what serves as it was, and no file', async () => {
    const [steps] = fc.sample(scripts(30), { numRuns: 1, seed: 7 });
    await ledger.play(there(steps).slice(0, 5));
    right(await rebuild(deps()));
    const [serving, before] = [generations.serving(), content()];
    let next = 5;
    /** A rebuild whose n-th read fails; each has something to catch up with. */
    const failingAt = async (failing: number): Promise<{ readonly built: string; readonly reads: number }> => {
      let reads = 0;
      const store = disturbed(ledger.store, async () => {
        reads += 1;
        const isFailing = reads === failing;
        if (reads === 4) {
          await ledger.play(there(steps).slice(next, next + 1));
          next += 1;
        }
        return isFailing ? AWAY : null;
      });
      const built = await rebuild({ ...deps(), ...rebuildDeps({ ...ledger.store, ...store }, generations, ZONE) });
      return { built: failure(built), reads };
    };
    for (let [failing, done] = [1, false]; !done; failing += 1) {
      const { built, reads } = await failingAt(failing);
      done = reads < failing;
      expect(built).to.equal(done ? 'success' : 'StoreUnavailable');
      if (!done) expect([generations.serving(), content()]).to.deep.equal([serving, before]);
      else expect(failing).to.be.above(9);
      expect(files()).to.deep.equal(onlyServing());
    }
  });

  it('that is given up leaves what serves as it was, and can be tried again', async () => {
    await ledger.play(there(fc.sample(scripts(20), { numRuns: 1, seed: 3 })[0]));
    right(await rebuild(deps()));
    const [serving, before] = [generations.serving(), content()];
    const givenUp = new AbortController();
    const onProgress = (): void => givenUp.abort();
    expect(failure(await rebuild({ ...deps(), onProgress, signal: givenUp.signal }))).to.equal('StoreUnavailable');
    expect([generations.serving(), content()]).to.deep.equal([serving, before]);
    expect(files()).to.deep.equal(onlyServing());
    right(await rebuild({ ...deps(), signal: new AbortController().signal }));
    expect(content()).to.deep.equal(before);
  });

  it('that ends by an exception leaves what serves as it was, and can be tried again', async () => {
    await ledger.play(there(fc.sample(scripts(20), { numRuns: 1, seed: 3 })[0]));
    right(await rebuild(deps()));
    const [serving, before] = [generations.serving(), content()];
    const broken = (): never => {
      throw new Error('broken');
    };
    const tasksUpTo = deps().tasksUpTo;
    const withTask =
      (task: 'part' | 'rest'): RebuildDeps['tasksUpTo'] =>
      async (...args) => {
        const made = right(await tasksUpTo(...args));
        return E.right({ ...made, tasks: { ...made.tasks, [task]: () => Promise.reject(new Error('broken')) } });
      };
    const wrong: readonly Partial<RebuildDeps>[] = [
      { onProgress: broken },
      { tasksUpTo: () => Promise.reject(new Error('broken')) },
      { tasksUpTo: withTask('part') },
      { tasksUpTo: withTask('rest') },
      {
        tasksUpTo: async (...args) =>
          E.right({ ...right(await tasksUpTo(...args)), close: () => Promise.reject(new Error('broken')) }),
      },
    ];
    for (const one of wrong) {
      const built = await rebuild({ ...deps(), ...one });
      expect(failure(built)).to.equal('ReadModelsUnavailable');
      expect([generations.serving(), content()]).to.deep.equal([serving, before]);
      expect(files()).to.deep.equal(onlyServing());
    }
    right(await rebuild(deps()));
    expect(content()).to.deep.equal(before);
  });

  it('removes what a killed one has left', async () => {
    right(await rebuild(deps()));
    for (const left of ['.g7', '.g7-wal', '.g8-wal', '.g9-journal', '.g9-shm'])
      writeFileSync(`${file}${left}`, 'cut off');
    writeFileSync(`${file}.gone`, 'of somebody else');
    right(await rebuild(deps()));
    expect(generations.serving()).to.equal(2);
    expect(files()).to.have.members([...onlyServing(), 'read-models.db.gone']);
  });

  it('is the only one of its file', async () => {
    const other = right(Generations.open(file));
    const { promise: waiting, resolve: goOn } = Promise.withResolvers<void>();
    await ledger.play(there(fc.sample(scripts(5), { numRuns: 1, seed: 3 })[0]));
    const store = disturbed(ledger.store, async () => {
      await waiting;
      return null;
    });
    const first = rebuild({ ...deps(), ...rebuildDeps({ ...ledger.store, ...store }, generations, ZONE) });
    for (const those of [other, generations]) {
      expect(failure(await rebuild(rebuildDeps(ledger.store, those, ZONE)))).to.equal('BuildUnderWay');
    }
    goOn();
    right(await first);
    right(await rebuild(rebuildDeps(ledger.store, other, ZONE)));
    expect(generations.serving()).to.equal(2);
    other.close();
  });

  it('waits for who holds its lock for a moment, as a ledger that starts does', async () => {
    const held = there(generations.lockBuild());
    const built = rebuild(deps());
    held.release();
    right(await built);
    expect(generations.serving()).to.equal(1);
  });

  it('in place of what serves no longer builds nothing: two that found nothing there leave what the first has built', async () => {
    await ledger.play(there(fc.sample(scripts(5), { numRuns: 1, seed: 3 })[0]));
    const found = generations.serving();
    right(await rebuild({ ...deps(), inPlaceOf: found }));
    expect(failure(await rebuild({ ...deps(), inPlaceOf: found }))).to.equal('BuiltMeanwhile');
    expect(generations.serving()).to.equal(1);
    expect(files()).to.deep.equal(onlyServing());
    right(await rebuild({ ...deps(), inPlaceOf: 1 }));
    expect(generations.serving()).to.equal(2);
  });

  it('does not replace what was taken into use while it went on', async () => {
    right(await rebuild(deps()));
    const built = await rebuild({
      ...deps(),
      store: disturbed(ledger.store, () => {
        generations.swap(1, 99);
        return Promise.resolve(null);
      }),
    });
    expect(failure(built)).to.equal('ReadModelsUnavailable');
    expect(generations.serving()).to.equal(99);
    expect(generations.swap(1, 100)).to.equal(false);
  });

  it('is not stopped by events that were changed, moved or put there by hand', async () => {
    const bodies = ['a', 'b', 'c'].map((orderId) => JSON.stringify(onRamp({ orderId })));
    const others = { receivedAt: instantOf(0), requestId: null, putAway: false };
    await ledger.play(bodies.map((body) => ({ ...others, body })));
    right(await rebuild(deps()));
    const named = (orderId: string): StreamName => orderStream(branded<OrderId>(orderId));
    ledger.store.tamper(named('a'), 0, { data: there(bodies[1]) });
    ledger.store.tamper(named('c'), 0, { stream: branded<StreamName>('of somebody else') });
    for (const status of ['fiatPending', 'completed']) {
      right(await rebuild(deps()));
      const serving = there(openQueries(generations));
      const { data } = serving.queries.orders({
        filter: EVERY_ORDER,
        after: null,
        limit: 9,
        now: instantOf(0),
        counted: false,
      });
      serving.close();
      const whole = data.map((state) => [state.orderId, state.status, state.revision]);
      expect(whole).to.deep.equal(
        status === 'completed'
          ? [
              ['b', 'fiatPending', 0],
              ['a', status, 1],
            ]
          : [['b', status, 0]],
      );
      await ledger.play([{ ...others, body: JSON.stringify(onRamp({ orderId: 'a', status: 'completed' })) }]);
      await follow();
    }
  });

  it('says so where its lock or its folder can not be used', async () => {
    writeFileSync(`${file}.build-lock`, 'no lock of SQLite, but a text of some length'.repeat(100));
    expect(failure(await rebuild(deps()))).to.equal('ReadModelsUnavailable');
    folder.remove();
    expect(failure(await rebuild(deps()))).to.equal('ReadModelsUnavailable');
  });
});
