import { expect } from 'chai';
import { businessCalendar } from '../../src/domain/business-day.ts';
import { instantOf } from '../../src/domain/instant.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { closeBook } from '../../src/queries/periods/book/close-book.ts';
import { closePeriod } from '../../src/queries/periods/close-period.ts';
import { AUTHOR } from '../support/bank-imports.ts';
import { inMemoryReadModels } from '../support/in-memory-read-models.ts';
import { playedLedger } from '../support/ledger-script.ts';
import { onRamp } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { routeDependencies } from '../support/route-dependencies.ts';

const [JANUARY, MARCH] = ['2026-01-10T10:00:00.000Z', '2026-03-10T10:00:00.000Z'];
const DESPITE = ['clock-anomalies', 'earlier-closed'] as const;

describe('what came for earlier months', () => {
  it('is in the first close behind it, once, in whichever order months were closed', async () => {
    const { store, play } = playedLedger();
    const readModels = inMemoryReadModels(store, businessCalendar('UTC'));
    const now = () => instantOf(Date.UTC(2026, 4, 2));
    const deps = routeDependencies({ calendar: businessCalendar('UTC'), now }, { store, readModels });
    const give = (facts: JsonObject): Promise<void> =>
      play([{ body: JSON.stringify(onRamp(facts)), receivedAt: now(), requestId: null, putAway: false }]);
    const close = async (month: string): Promise<void> => {
      right(await closePeriod(deps, month, { note: 'n', despite: DESPITE }, AUTHOR)());
    };
    /** What came by the book of a month: for which month, and the phases of each order. */
    const received = async (month: string): Promise<readonly string[]> =>
      right(await closeBook(deps, month, ['day'])()).received.flatMap(({ period, basis, orders }) =>
        basis !== 'created'
          ? []
          : orders.map(({ closed, now: is }) => `${period} ${closed?.phase ?? 'none'} ${is?.phase ?? 'none'}`),
      );

    await give({ orderId: 'jan', createdAt: JANUARY, status: 'fiatPending' });
    await close('2026-01');
    await give({ orderId: 'jan', createdAt: JANUARY, status: 'expired' });
    await close('2026-03');
    await give({ orderId: 'jan', createdAt: JANUARY, status: 'completed' });
    await give({ orderId: 'mar', createdAt: MARCH, status: 'fiatPending' });
    await close('2026-02');
    await close('2026-04');
    expect(await received('2026-03')).to.deep.equal(['2026-01 open expired']);
    expect(await received('2026-02')).to.deep.equal(['2026-01 expired settled']);
    expect(await received('2026-04')).to.deep.equal(['2026-03 none open']);
  });
});
