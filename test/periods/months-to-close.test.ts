import { expect } from 'chai';
import { businessCalendar } from '../../src/domain/business-day.ts';
import { ownStream } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { closePeriod } from '../../src/queries/periods/close-period.ts';
import { monthsToClose } from '../../src/queries/periods/months-to-close.ts';
import { monthBefore, parseMonth } from '../../src/domain/month.ts';
import { AUTHOR } from '../support/bank-imports.ts';
import { inMemoryReadModels } from '../support/in-memory-read-models.ts';
import { playedLedger } from '../support/ledger-script.ts';
import { offRamp } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { routeDependencies } from '../support/route-dependencies.ts';
import { anEvent } from '../support/stored-events.ts';

const calendar = businessCalendar('UTC');
const now = () => instantOf(Date.UTC(2026, 4, 9, 10));

const ledger = () => {
  const { store, play } = playedLedger();
  const deps = routeDependencies({ calendar, now }, { store, readModels: inMemoryReadModels(store, calendar) });
  return {
    store,
    paid: (orderId: string, created: string, settled: string) =>
      play([
        {
          body: JSON.stringify(
            offRamp({ orderId, status: 'PayoutSuccess', created_at: created, updated_at: settled, utr: orderId }),
          ),
          receivedAt: now(),
          requestId: null,
          putAway: false,
        },
      ]),
    close: async (month: string) => {
      const despite = ['earlier-closed', 'clock-anomalies'] as const;
      right(await closePeriod(deps, month, { note: 'n', despite }, AUTHOR)());
    },
    toClose: async () => right(await monthsToClose(deps)()),
  };
};

describe('the months that are to be closed', () => {
  it('are none of an empty ledger, and never the current one', async () => {
    const { paid, toClose } = ledger();
    expect(await toClose()).to.deep.equal([]);
    await paid('a', '2026-05-01T00:00:00.000Z', '2026-05-02T00:00:00.000Z');
    expect(await toClose()).to.deep.equal([]);
  });

  it('are also those that have figures by settlement alone', async () => {
    const { paid, close, toClose } = ledger();
    await paid('a', '2026-02-10T00:00:00.000Z', '2026-03-02T00:00:00.000Z');
    await paid('b', '2026-02-10T00:00:00.000Z', '2026-04-02T00:00:00.000Z');
    expect(await toClose()).to.deep.equal(['2026-04', '2026-03', '2026-02']);
    await close('2026-02');
    expect(await toClose()).to.deep.equal(['2026-04', '2026-03']);
  });

  it('are also those that stayed open before one that is closed, and none without figures', async () => {
    const { paid, close, toClose } = ledger();
    await paid('a', '2025-12-10T00:00:00.000Z', '2025-12-10T00:00:00.000Z');
    await paid('b', '2026-01-10T00:00:00.000Z', '2026-03-10T00:00:00.000Z');
    await close('2026-03');
    expect(await toClose()).to.deep.equal(['2026-01', '2025-12']);
    await close('2026-01');
    expect(await toClose()).to.deep.equal(['2025-12']);
    await close('2025-12');
    expect(await toClose()).to.deep.equal([]);
  });

  it('are the twelve newest of many, also behind as many that are closed', async () => {
    const { paid, close, toClose } = ledger();
    const months: string[] = [];
    for (let month = parseMonth('2026-04'); month !== null && months.length < 27; month = monthBefore(month)) {
      months.push(month);
      await paid(month, `${month}-10T00:00:00.000Z`, `${month}-11T00:00:00.000Z`);
    }
    for (const month of months.slice(0, 13)) await close(month);
    expect(await toClose()).to.deep.equal(months.slice(13, 25));
    await close('2025-03');
    expect(await toClose()).to.deep.equal(months.slice(14, 26));
  });

  it('are told also where the stream of one of them can not be read, which is not named', async () => {
    const { store, paid, toClose } = ledger();
    await paid('a', '2026-02-10T00:00:00.000Z', '2026-04-10T00:00:00.000Z');
    await paid('b', '2026-03-10T00:00:00.000Z', '2026-03-10T00:00:00.000Z');
    right(await store.append(ownStream('period', '2026-03'), 'none', [anEvent()])());
    expect(await toClose()).to.deep.equal(['2026-04', '2026-02']);
  });
});
