import { expect } from 'chai';
import * as t from 'io-ts';
import { branded } from '../../src/domain/brand.ts';
import { ownStream, type RequestId } from '../../src/domain/ids.ts';
import type { Instant } from '../../src/domain/instant.ts';
import type { Month } from '../../src/domain/month.ts';
import { ownEvent } from '../../src/domain/own-event/own-event.ts';
import { PERIOD_CLOSED } from '../../src/domain/own-event/period-events.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { refusalOf, textOf } from '../support/asking.ts';
import { bodyOf, onRamp } from '../support/payloads.ts';
import { deliverUnaware } from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';
import { serveApi, type ServedApi } from '../support/serve-api.ts';
import { anEvent } from '../support/stored-events.ts';

const JANUARY = '2026-01-10T10:00:00.000Z';
const READER = 'reports:read';
const PROBLEM = 'it is no event of the ledger itself';

const Months = t.type({
  data: t.array(
    t.type({
      period: t.string,
      state: t.string,
      unreadable: t.union([t.type({ stream: t.string, revision: t.number, problem: t.string }), t.null]),
    }),
  ),
});

describe('a month whose stream holds an event of something else', () => {
  let api: ServedApi;

  beforeEach(async () => {
    api = await serveApi({ now: () => branded<Instant>('2026-04-02T10:00:00.000Z') });
    await deliverUnaware(
      api.store,
      bodyOf(onRamp({ orderId: 'first', createdAt: JANUARY, updated_at: JANUARY, status: 'completed' })),
    );
  });
  afterEach(() => api.close());

  const listed = async () => {
    const { data } = right(Months.decode(JSON.parse(await textOf(api, '/v1/periods', READER))));
    return data.map(({ period, state, unreadable }) => [period, state, unreadable]);
  };

  it('is listed with the event that keeps it from being read, beside the others as they are', async () => {
    const stream = ownStream('period', '2026-02');
    right(await api.store.append(stream, 'none', [anEvent()])());
    expect(await listed()).to.deep.equal([
      ['2026-04', 'open', null],
      ['2026-03', 'open', null],
      ['2026-02', 'unreadable', { stream, revision: 0, problem: PROBLEM }],
      ['2026-01', 'open', null],
    ]);
    // What is asked of it alone, or of a month whose moments its close would say, is refused by name.
    for (const month of ['2026-02', '2026-03']) {
      const { is, detail } = await refusalOf(api, `/v1/periods/${month}`, READER);
      expect([is, detail]).to.deep.equal([
        '500 unreadable-event',
        `event 0 of stream ${stream} can't be read: ${PROBLEM}`,
      ]);
    }
    expect(await textOf(api, '/v1/periods/2026-04', READER)).to.include('"state":"open"');
  });

  it('is listed as one too where the figures of its close are none', async () => {
    const digest = { sha256: sha256('') };
    const instant = (text: string): Instant => branded<Instant>(text);
    const closed = ownEvent(
      PERIOD_CLOSED,
      {
        period: branded<Month>('2026-01'),
        timeZone: 'UTC',
        from: instant('2026-01-01T00:00:00.000Z'),
        until: instant('2026-02-01T00:00:00.000Z'),
        through: null,
        asOf: null,
        checkpoint: null,
        note: '',
        despite: [],
        checks: [],
        reports: { onramp: digest, offramp: digest },
        figures: 'none',
      },
      { by: 'finance', at: instant('2026-04-02T10:00:00.000Z'), requestId: branded<RequestId>('request-1') },
    );
    right(await api.store.append(closed.stream, 'none', [closed.event])());
    const problem = 'the figures of its close are none that this ledger has packed';
    expect(await listed()).to.deep.equal([
      ['2026-04', 'open', null],
      ['2026-03', 'open', null],
      ['2026-02', 'open', null],
      ['2026-01', 'unreadable', { stream: closed.stream, revision: 0, problem }],
    ]);
  });

  it('is listed also before the first month with figures', async () => {
    const stream = ownStream('period', '2025-12');
    right(await api.store.append(stream, 'none', [anEvent()])());
    expect((await listed()).at(-1)).to.deep.equal(['2025-12', 'unreadable', { stream, revision: 0, problem: PROBLEM }]);
  });
});
