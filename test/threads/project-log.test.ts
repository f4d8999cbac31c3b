import { expect } from 'chai';
import * as fc from 'fast-check';
import { ProjectedScene } from './projected-scene.ts';

describe('a log that is put back while it is followed', () => {
  let scene: ProjectedScene;
  beforeEach(() => {
    scene = new ProjectedScene();
  });
  afterEach(() => scene.remove());

  for (const [what, back, others] of [
    ['empty, and goes on further than before', 0, 9],
    ['with the beginning of what was signed', 3, 4],
    ['empty', 0, 0],
  ] as const)
    it(`is noticed where it comes back ${what} while read models are built`, async () => {
      await scene.store.append(scene.newEvents(5));
      scene.hold();
      scene.start();
      await scene.until('all to be signed, and a build to be under way', () => scene.hasSigned(5) && scene.isHeld);
      scene.store.cut();
      scene.release();
      await scene.until('the build to fail', () => scene.news.some(({ _tag }) => _tag === 'Failed'));
      await scene.store.comeBack([...scene.store.events.slice(0, back), ...scene.newEvents(others)]);
      await scene.until('the loss to be known', () => scene.kept?._tag === 'LogLost');
      await scene.store.append(scene.newEvents(3));
      await scene.stop();
      scene.expectOneLog();
      expect(scene.kept?._tag).to.equal('LogLost');
    });

  it('is signed on where it comes back whole', async () => {
    await scene.store.append(scene.newEvents(5));
    scene.start();
    await scene.until('all to be signed', () => scene.hasSigned(5));
    scene.store.cut();
    await scene.store.comeBack([...scene.store.events, ...scene.newEvents(2)]);
    await scene.until('what came to be signed', () => scene.hasSigned(7));
    await scene.store.append(scene.newEvents(4));
    await scene.until('what comes to be signed', () => scene.hasSigned(11));
    scene.expectOneLog();
  });
});

/** What a store, and whoever looks after it, may do. */
const act = fc.oneof(
  fc.record({ does: fc.constant('append'), count: fc.integer({ min: 1, max: 6 }) }),
  fc.record({
    does: fc.constantFrom('cut', 'whole', 'restart', 'hold a build', 'go on', 'no room', 'room'),
    count: fc.constant(0),
  }),
  fc.record({ does: fc.constantFrom('beginning', 'another'), count: fc.integer({ min: 0, max: 8 }) }),
);

type Act = readonly [{ readonly does: string; readonly count: number }, boolean];

/** Behind a start whose tree is level another, longer log comes while read models are built, and nothing fails that follows it. */
const PUT_BACK_WHILE_BUILT: Act[] = [
  [{ does: 'append', count: 5 }, true],
  [{ does: 'hold a build', count: 0 }, true],
  [{ does: 'another', count: 8 }, false],
  [{ does: 'go on', count: 0 }, true],
];

describe('a log whose read models can’t be built', () => {
  it('is signed all the same, as events come', async () => {
    const scene = new ProjectedScene();
    scene.isWithoutRoom = true;
    try {
      await scene.store.append(scene.newEvents(3));
      scene.start();
      await scene.until('all to be signed', () => scene.hasSigned(3));
      await scene.store.append(scene.newEvents(2));
      await scene.until('what came to be signed', () => scene.hasSigned(5));
      scene.expectOneLog();
    } finally {
      await scene.remove();
    }
  });
});

describe('a log whose read models were removed with their folder', () => {
  it('is followed no more: what is there may be the next ledger’s', async () => {
    const scene = new ProjectedScene();
    try {
      scene.start();
      await scene.until('read models to serve', () => scene.news.some(({ _tag }) => _tag === 'Serving'));
      const told = scene.news.length;
      scene.lost = 'ledger.lock was removed';
      scene.removeReadModels();
      await scene.ended();
      expect(scene.news.slice(told)).to.deep.equal([]);
    } finally {
      await scene.remove();
    }
  });
});

describe('what is signed of a log', () => {
  it('is of one log, whatever the store does', async () => {
    const signedOfOneLog = fc.asyncProperty(
      fc.array<Act>(fc.tuple(act, fc.boolean()), { minLength: 3, maxLength: 9 }),
      async (acts) => {
        const scene = new ProjectedScene();
        const { store } = scene;
        const does: Record<string, (count: number) => void | Promise<void>> = {
          append: (count) => (store.isAway ? undefined : store.append(scene.newEvents(count))),
          cut: () => store.cut(),
          whole: () => store.comeBack(store.events),
          beginning: (count) => store.comeBack(store.events.slice(0, count)),
          another: (count) => store.comeBack(scene.newEvents(count)),
          restart: async () => {
            await scene.stop();
            scene.start();
          },
          'hold a build': async () => {
            await scene.stop();
            scene.removeReadModels();
            scene.hold();
            scene.start();
          },
          'go on': () => scene.release(),
          'no room': async () => {
            await scene.stop();
            scene.removeReadModels();
            scene.isWithoutRoom = true;
            scene.start();
          },
          room: () => {
            scene.isWithoutRoom = false;
          },
        };
        /** All that is there is signed, or what is lost is known: where the store is there, one of them must come. */
        const isSettled = (): boolean =>
          store.isAway || scene.isHeld || scene.kept?._tag === 'LogLost' || scene.hasSigned(store.events.length);
        scene.start();
        try {
          for (const [{ does: what, count }, settles] of acts) {
            await does[what]?.(count);
            if (settles) await scene.until('what is signed to settle', isSettled);
            scene.expectOneLog();
          }
          scene.release();
          scene.isWithoutRoom = false;
          await store.comeBack([...store.events, ...scene.newEvents(2)]);
          await scene.until('what is signed to settle at last', isSettled);
          scene.expectOneLog();
        } finally {
          await scene.remove();
        }
      },
    );
    await fc.assert(signedOfOneLog, { numRuns: 15, examples: [[PUT_BACK_WHILE_BUILT]] });
  }).timeout(240_000);
});
