import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { isAwaited } from '../../src/access/asker.ts';
import { takeMonthsOf } from '../../src/composition/take-months.ts';
import { businessCalendar } from '../../src/domain/business-day.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { closePeriod } from '../../src/queries/periods/close-period.ts';
import { oneByOne } from '../../src/queries/periods/one-by-one.ts';
import { reopenPeriod } from '../../src/queries/periods/reopen-period.ts';
import { AUTHOR } from '../support/bank-imports.ts';
import { inMemoryReadModels } from '../support/in-memory-read-models.ts';
import { playedLedger } from '../support/ledger-script.ts';
import { onRamp } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { routeDependencies } from '../support/route-dependencies.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('months that are closed and opened at once', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());
  const takeMonths = takeMonthsOf(folder.path);

  for (const [who, isOfAnother] of [
    ['in one process', false],
    ['in two processes of one data directory', true],
  ] as const) {
    it(`come behind each other ${who}: none is opened while a later one is being closed`, async () => {
      const { store, play } = playedLedger();
      const calendar = businessCalendar('UTC');
      const now = () => instantOf(Date.UTC(2026, 4, 2));
      const readModels = inMemoryReadModels(store, calendar);
      const deps = routeDependencies({ calendar, now, takeMonths }, { store, readModels });
      const body = JSON.stringify(onRamp({ createdAt: '2026-01-10T10:00:00.000Z', status: 'completed' }));
      await play([{ body, receivedAt: now(), requestId: null, putAway: false }]);
      const asked = { note: 'n', despite: [] };
      right(await closePeriod(deps, '2026-01', asked, AUTHOR)());

      const signed = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const including = () => async (): Promise<E.Either<null, never>> => {
        begun.resolve();
        await signed.promise;
        return E.left(null);
      };
      const slow = { ...deps, proofs: { newest: () => TE.left(null), including } };
      const closing = closePeriod(slow, '2026-02', asked, AUTHOR)();
      await begun.promise;
      // What one process knows of those who wait, another one doesn't.
      const opener = isOfAnother ? { ...deps, store: { ...store } } : deps;
      const opening = reopenPeriod(opener, '2026-01', 'n', AUTHOR)();
      // As much as it takes to be noted where it waits for nobody.
      for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
      signed.resolve();
      expect(await closing).to.deep.equal(E.right(undefined));
      expect(await opening).to.deep.equal(E.left({ _tag: 'LaterPeriodClosed', period: '2026-02' }));
    });
  }

  it('are not waited for without end where another process does not come to one, and given back after a failure', async () => {
    const held = right(takeMonths());
    const late = await oneByOne({ store: {}, takeMonths, isAwaited }, 'a', TE.right('done'), 50)();
    expect(late).to.include({ _tag: 'Left' });
    held?.();
    expect(await oneByOne({ store: {}, takeMonths, isAwaited }, 'a', TE.left('failed'), 50)()).to.deep.equal(
      E.left('failed'),
    );
    expect(await oneByOne({ store: {}, takeMonths, isAwaited }, 'a', TE.right('done'), 50)()).to.deep.equal(
      E.right('done'),
    );
  });

  it('are done by turns of who asks, so that many of one key keep another one waiting for the one under way', async () => {
    const deps = { store: {}, takeMonths, isAwaited };
    const done: string[] = [];
    const by = (who: string) =>
      oneByOne(
        deps,
        who,
        TE.fromIO(() => done.push(who)),
      )();
    const all = ['many', 'many', 'many', 'many', 'other'].map(by);
    for (const outcome of await Promise.all(all)) right(outcome);
    expect(done).to.deep.equal(['many', 'other', 'many', 'many', 'many']);
  });

  it('are not done for somebody who hung up while they waited', async () => {
    const first = Promise.withResolvers<E.Either<never, string>>();
    let isGone = false;
    const deps = { store: {}, takeMonths, isAwaited: () => !isGone };
    const underWay = oneByOne({ ...deps, isAwaited }, 'a', () => first.promise)();
    const waiting = oneByOne(
      deps,
      'b',
      TE.fromIO(() => expect.fail('it was done')),
    )();
    isGone = true;
    // The one before it is still under way.
    expect(await waiting).to.deep.equal(E.left({ _tag: 'AskerGone' }));
    first.resolve(E.right('done'));
    expect(await underWay).to.deep.equal(E.right('done'));
  });

  it('say so where nothing can be locked', async () => {
    const nowhere = takeMonthsOf(`${folder.path}/nowhere`);
    const refused = await oneByOne({ store: {}, takeMonths: nowhere, isAwaited }, 'a', TE.right('done'), 50)();
    expect(E.isLeft(refused) ? refused.left._tag : 'done').to.equal('StoreUnavailable');
  });
});
