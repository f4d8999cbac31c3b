import { expect } from 'chai';
import * as fc from 'fast-check';
import { GROUP_KEYS, type GroupKey } from '../../projections/report/index.ts';
import { reportResource } from '../../src/queries/reports/report-resource.ts';
import { parseBusinessDay } from '../../src/domain/business-day.ts';
import { parseInstant } from '../../src/domain/instant.ts';
import { readContent } from '../../src/domain/read-content.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { openServing } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { RecentOrders } from '../../src/ledger/recent-orders.ts';
import { recordDelivery } from '../../src/ledger/record-delivery.ts';
import type { ReadModels } from '../../src/read-models/read-models.ts';
import { startReadModels } from '../../src/threads/threaded-read-models.ts';
import { sentDeliveries, type Sent } from '../support/order-deliveries.ts';
import { verifiedDelivery } from '../support/payloads.ts';
import { naiveReport } from '../support/report-oracle.ts';
import { right } from '../support/right.ts';
import { runs } from '../support/runs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Each has some four orders, whose deliveries come in any order, twice and contradicting each other. */
const SAMPLES = runs(100);

const ZONES = ['Asia/Kolkata', 'America/St_Johns'] as const;

type Delivered = Parameters<typeof naiveReport>[0] extends Iterable<infer A> ? A : never;

const recorded = async (store: EventStore, samples: readonly (readonly Sent[])[]): Promise<readonly Delivered[]> => {
  const record = recordDelivery({ store, recent: new RecentOrders(10_000), quarantined: new Set() });
  const delivered = await Promise.all(
    samples.map(async (sent, sample) => {
      const ofSample: Delivered[] = [];
      for (const { body: text, receivedAt } of sent) {
        const body = text.replaceAll('"order-', `"sample-${sample}-`);
        const bytes = Buffer.from(body);
        const verified = verifiedDelivery(bytes, { receivedAt: parseInstant(receivedAt) ?? expect.fail(receivedAt) });
        const { event } = right(await record({ verified, content: readContent(bytes) })());
        ofSample.push({ body, receivedAt, eventId: event.eventId });
      }
      return ofSample;
    }),
  );
  return delivered.flat();
};

const questions = fc.record({
  flow: fc.constantFrom('onramp' as const, 'offramp' as const),
  basis: fc.constantFrom('created' as const, 'settled' as const),
  groupBy: fc.subarray<GroupKey>([...GROUP_KEYS]),
  from: fc.option(fc.integer({ min: 0, max: 60 })),
  days: fc.option(fc.integer({ min: 0, max: 45 })),
});

const dayAt = (first: string, days: number): string =>
  new Date(Date.parse(`${first}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

describe('reports over thousands of orders, beside an oracle of the test', () => {
  const [samples = []] = fc.sample(fc.array(sentDeliveries, { minLength: SAMPLES, maxLength: SAMPLES }), {
    numRuns: 1,
    seed: 20_240_229,
  });

  for (const timeZone of ZONES) {
    it(`are the same to the last digit, with business days of ${timeZone}`, async () => {
      const folder = temporaryFolder();
      const location = { dataDir: folder.path, file: `${folder.path}/events.db` };
      let readModels: ReturnType<typeof startReadModels> | null = null;
      const store = right(await openServing(location, () => readModels?.appended()));
      readModels = startReadModels(
        { location: { kind: 'sqlite', ...location }, readModelFile: `${folder.path}/read-models.db`, timeZone },
        () => undefined,
      );
      try {
        const delivered = await recorded(store, samples);
        const head = right(await store.head()()) ?? expect.fail('nothing was recorded');
        right(await readModels.includes(head, 30_000)());
        const first = naiveReport(delivered, { flow: 'onramp', basis: 'created', timeZone, groupBy: ['day'] }).rows[0]
          ?.day;
        await fc.assert(
          fc.asyncProperty(questions, (question) => agrees(readModels, delivered, timeZone, first ?? '', question)),
          { numRuns: runs(8) },
        );
      } finally {
        await readModels.close();
        await store.close();
        folder.remove();
      }
    }).timeout(300_000);
  }
});

type Asked = typeof questions extends fc.Arbitrary<infer A> ? A : never;

const agrees = async (
  readModels: ReadModels | null,
  delivered: readonly Delivered[],
  timeZone: string,
  first: string,
  { flow, basis, groupBy, from, days }: Asked,
): Promise<void> => {
  const firstDay = from === null ? null : dayAt(first, from);
  const lastDay = days === null ? null : dayAt(firstDay ?? first, days);
  const question = {
    flow,
    basis,
    groupBy,
    from: firstDay === null ? null : parseBusinessDay(firstDay),
    to: lastDay === null ? null : parseBusinessDay(lastDay),
  };
  const answer = right(await (readModels ?? expect.fail('not started')).report(question)());
  const { rows, totals } = reportResource(question, answer, 'shown');
  const expected = naiveReport(delivered, {
    flow,
    basis,
    timeZone,
    groupBy,
    ...(firstDay === null ? {} : { from: firstDay }),
    ...(lastDay === null ? {} : { to: lastDay }),
  });
  expect(withTextChains({ rows, totals })).to.deep.equal(withTextChains(expected));
};

/** The oracle's chains are texts. */
const withTextChains = (report: unknown): unknown =>
  JSON.parse(JSON.stringify(report).replaceAll(/"chainId":"?([\d.]+)"?/g, '"chainId":"$1"'));
