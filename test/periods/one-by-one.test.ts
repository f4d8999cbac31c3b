import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { businessCalendar } from '../../src/domain/business-day.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { closePeriod } from '../../src/queries/periods/close-period.ts';
import { reopenPeriod } from '../../src/queries/periods/reopen-period.ts';
import { AUTHOR } from '../support/bank-imports.ts';
import { inMemoryReadModels } from '../support/in-memory-read-models.ts';
import { playedLedger } from '../support/ledger-script.ts';
import { onRamp } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { routeDependencies } from '../support/route-dependencies.ts';

describe('months that are closed and opened at once', () => {
  it('come behind each other: none is opened while a later one is being closed', async () => {
    const { store, play } = playedLedger();
    const calendar = businessCalendar('UTC');
    const now = () => instantOf(Date.UTC(2026, 4, 2));
    const readModels = inMemoryReadModels(store, calendar);
    const deps = routeDependencies({ calendar, now }, { store, readModels });
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
    const opening = reopenPeriod(deps, '2026-01', 'n', AUTHOR)();
    // As much as it takes to be noted where it waits for nobody.
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
    signed.resolve();
    expect(await closing).to.deep.equal(E.right(undefined));
    expect(await opening).to.deep.equal(E.left({ _tag: 'LaterPeriodClosed', period: '2026-02' }));
  });
});
