import { mock } from 'node:test';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { askedBy } from '../../src/access/asker.ts';
import type { HandedPage } from '../../src/console/handed-page.ts';
import { businessCalendar } from '../../src/domain/business-day.ts';
import { branded } from '../../src/domain/brand.ts';
import type { RequestId } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import type { Month } from '../../src/domain/month.ts';
import { openServing } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { isAdjusted } from '../../src/queries/periods/adjustments.ts';
import { closingFigures } from '../../src/queries/periods/closing-figures.ts';
import type { ClosingQuestion } from '../../src/queries/periods/month-reckoning.ts';
import { monthChecks } from '../../src/queries/periods/month-checks.ts';
import { packFigures } from '../../src/queries/periods/period-figures.ts';
import { CSV, XLSX } from '../../src/replies/media-types.ts';
import type { HandedPageQuestion } from '../../src/threads/query-message.ts';
import { startReadModels, type ThreadedReadModels } from '../../src/threads/threaded-read-models.ts';
import { loopTurns } from '../support/loop-turns.ts';
import { openFilesOf } from '../support/open-files.ts';
import { bodyOf, onRamp } from '../support/payloads.ts';
import { deliverUnaware } from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';
import { runHere } from '../support/run-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const MANY = 200;

const askerOf = (keyId: string) => ({ keyId, mayRead: () => true });

const EVENT_PAGE: HandedPage = {
  route: '/console/orders/{orderId}/events/{revision}',
  path: '/console/orders/a/events/0',
  querystring: '',
  form: [],
  session: { id: 'reader', sha256: '', scopes: ['orders:read'], nonce: '', expiresAt: 0 },
  requestId: branded<RequestId>('r'),
  origin: 'http://localhost',
  now: instantOf(0),
  scriptNonce: '',
  after: '',
  health: null,
};

const pageQuestion = (log: HandedPageQuestion['log']): HandedPageQuestion => ({
  page: EVENT_PAGE,
  matchDueDays: 1,
  secrets: [],
  log,
});

const NOT_SIGNED: HandedPageQuestion['log'] = E.left({ _tag: 'ProofsBehind', detail: null });

describe('questions to the query thread', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let readModels: ThreadedReadModels;

  const started = async (): Promise<ThreadedReadModels> => {
    const location = { kind: 'sqlite', dataDir: folder.path, file: `${folder.path}/events.db` } as const;
    const readModelFile = `${folder.path}/read-models.db`;
    const threads = startReadModels({ location, readModelFile, timeZone: 'UTC' }, () => undefined);
    right(await threads.tallies(instantOf(0))());
    return threads;
  };

  const handed = (routeId: string, path: string, prefers: string | null = null) => {
    const question = {
      path,
      texts: [],
      scopes: ['orders:read'],
      requestId: branded<RequestId>('r'),
      keyId: 'k',
      prefers,
    };
    return readModels.handed({ routeId, question, now: instantOf(0), matchDueDays: 1, secrets: [], log: NOT_SIGNED });
  };

  /** The files of read models that this process has open. */
  const openFiles = (): readonly string[] => openFilesOf(`${folder.path}/read-models.db.g`);

  before(async () => {
    folder = temporaryFolder();
    const store = right(await openServing({ dataDir: folder.path, file: `${folder.path}/events.db` }, () => undefined));
    await deliverUnaware(store, bodyOf(onRamp({ orderId: 'a' })));
    await store.close();
    readModels = await started();
  });
  after(async () => {
    await readModels.close();
    folder.remove();
  });

  it('of one key hardly delay those of another, however many there are', async () => {
    const ask = readModels.tallies(instantOf(0));
    let answered = 0;
    const greedy = Array.from({ length: MANY }, () =>
      askedBy(askerOf('greedy'), async () => {
        right(await ask());
        answered += 1;
      }),
    );
    right(await askedBy(askerOf('other'), ask));
    expect(answered).to.be.lessThan(MANY / 4);
    await Promise.all(greedy);
  });

  it('of one key are few of those that the thread has, so that it is asked another one at once, however long each takes', async () => {
    const posted: string[] = [];
    // Nothing is answered: as by a thread that is at the first of them.
    const standing = mock.method(Worker.prototype, 'postMessage', (message: unknown): void => {
      posted.push(/"limit":(\d+)/.exec(JSON.stringify(message))?.[1] ?? '');
    });
    const ask = (keyId: string, limit: number) =>
      askedBy(askerOf(keyId), readModels.quarantine({ state: 'open', after: null, limit }));
    const asked = [...Array.from({ length: 10 }, () => ask('greedy', 500)), ask('other', 1)];
    const begun = [...posted];
    standing.mock.restore();
    await readModels.close();
    await Promise.all(asked);
    readModels = await started();
    expect(begun).to.deep.equal(['500', '500', '1']);
  }).timeout(30_000);

  it('for whole answers are not begun when whoever asked has hung up', async () => {
    const watching = mock.method(Worker.prototype, 'postMessage');
    const begun = (): number =>
      watching.mock.calls.filter((call) => JSON.stringify(call.arguments[0]).includes('"routeId"')).length;
    let isGone = false;
    const asked = Array.from({ length: MANY }, () =>
      askedBy({ ...askerOf('gone'), isGone: () => isGone }, () => handed('listOrders', '/v1/orders')),
    );
    isGone = true;
    const answers = await Promise.all(asked);
    watching.mock.restore();
    expect(begun()).to.be.lessThan(MANY / 4);
    expect(answers.filter((made) => made !== null && E.isLeft(made))).to.have.length(MANY - begun());
  });

  it('go on one in each turn of the loop when their answers come together, so that deliveries have theirs', async () => {
    const ask = readModels.tallies(instantOf(0));
    const turns = loopTurns();
    const wentOn: number[] = [];
    const asked = Array.from({ length: 40 }, (_, n) =>
      askedBy(askerOf(`key-${n}`), async () => {
        right(await ask());
        wentOn.push(turns.now());
      }),
    );
    await Promise.all(asked);
    turns.stop();
    expect(new Set(wentOn).size).to.equal(wentOn.length);
  });

  it('about the close of a month are answered there as they would be here', async () => {
    const month: ClosingQuestion = {
      month: branded<Month>('2023-03'),
      from: instantOf(Date.UTC(2023, 2)),
      until: instantOf(Date.UTC(2023, 3)),
      asOf: { checkpoint: readModels.progress().checkpoint },
      timeZone: 'UTC',
    };
    const kept = right(await readModels.closingFigures(month)());
    expect(kept).to.deep.equal(right(await closingFigures(readModels)(month)()));
    const asClosed = { data: { period: month.month, from: month.from, until: month.until, figures: kept.figures } };
    const figures = packFigures({ onramp: { created: [], settled: [] }, offramp: { created: [], settled: [] } });
    const ofNothing = { data: { ...asClosed.data, figures } };
    const unread = { data: { ...asClosed.data, figures: 'none' } };
    expect(right(await readModels.isAdjusted(asClosed)())).to.equal(false);
    expect(right(await readModels.isAdjusted(ofNothing)())).to.equal(true);
    expect(await readModels.isAdjusted(unread)()).to.deep.equal(await isAdjusted(readModels)(unread)());
    const elsewhere = await readModels.closingFigures({ ...month, timeZone: 'Asia/Kolkata' })();
    expect(elsewhere).to.have.nested.property('left._tag', 'ReadModelsBehind');
  });

  it('about what is left to do in a month are answered there as they would be here', async () => {
    const question = { month: branded<Month>('2023-03'), now: instantOf(Date.UTC(2023, 3)), matchDueDays: 1 };
    const found = right(await readModels.monthChecks(question)());
    const file = { dataDir: folder.path, file: `${folder.path}/events.db` };
    const store = right(await openServing(file, () => undefined));
    const here = monthChecks({ store, readModels, calendar: businessCalendar('UTC') });
    expect(found).to.deep.equal(right(await here(question)()));
    expect(found.checks.map(({ name, count }) => [name, count])).to.deep.equal([
      ['month-over', 0],
      ['earlier-closed', 0],
      ['quarantine', 0],
      ['clock-anomalies', 1],
    ]);
    await store.close();
  });

  it('about what is left to do in a month wait for the first build, as those for lists do', async () => {
    const location = { kind: 'sqlite', dataDir: folder.path, file: `${folder.path}/events.db` } as const;
    const fresh = temporaryFolder();
    const readModelFile = `${fresh.path}/read-models.db`;
    const threads = startReadModels({ location, readModelFile, timeZone: 'UTC' }, () => undefined);
    const question = { month: branded<Month>('2023-03'), now: instantOf(Date.UTC(2023, 3)), matchDueDays: 1 };
    const found = await threads.monthChecks(question)();
    await threads.close();
    fresh.remove();
    expect(right(found).checks.length).to.equal(4);
  });

  it('about months take the thread that answers of moments: what is known of many closed ones takes long', async () => {
    const watching = mock.method(Worker.prototype, 'postMessage');
    const asked = (): number => new Set(watching.mock.calls.map((call): unknown => call.this)).size;
    right(await readModels.tallies(instantOf(0))());
    const before = asked();
    const made = await handed('listPeriods', '/v1/periods');
    watching.mock.restore();
    if (made === null || E.isLeft(made)) expect.fail(JSON.stringify(made));
    expect(Buffer.from(made.right.bytes).toString()).to.include('"next":null');
    expect(before).to.equal(1);
    expect(asked()).to.equal(2);
  });

  it('start it: a ledger that is asked nothing has only the thread that follows the log', async () => {
    const other = temporaryFolder();
    const [file, readModelFile] = [`${other.path}/events.db`, `${other.path}/read-models.db`];
    await right(await openServing({ dataDir: other.path, file }, () => undefined)).close();
    const serving = Promise.withResolvers<null>();
    const location = { kind: 'sqlite', dataDir: other.path, file } as const;
    const threads = startReadModels({ location, readModelFile, timeZone: 'UTC' }, ({ _tag }) => {
      if (_tag === 'Serving') serving.resolve(null);
    });
    try {
      await serving.promise;
      // Each thread of read models opens the file that says which of them serve.
      const opened = (): number => openFilesOf(readModelFile).filter((path) => path === readModelFile).length;
      const unasked = opened();
      right(await threads.tallies(instantOf(0))());
      expect(opened()).to.equal(2 * unasked);
    } finally {
      await threads.close();
      other.remove();
    }
  });

  it('about one order are answered by a thread of their own as soon as it works, and alike before', async () => {
    const watching = mock.method(Worker.prototype, 'postMessage');
    /** The threads that questions of routes were handed to. */
    const asked = (): readonly unknown[] =>
      watching.mock.calls.flatMap((call): readonly unknown[] =>
        JSON.stringify(call.arguments[0]).includes('"routeId"') ? [call.this] : [],
      );
    const ask = async (routeId: string, path: string): Promise<string> => {
      const made = await handed(routeId, path);
      if (made === null || E.isLeft(made)) return expect.fail(JSON.stringify(made));
      return Buffer.from(made.right.bytes).toString();
    };
    try {
      const first = await ask('getOrder', '/v1/orders/a');
      expect(first).to.include('"orderId":"a"');
      await ask('listOrders', '/v1/orders');
      const lists = asked().at(-1);
      expect(asked().map((worker) => worker === lists)).to.deep.equal([true, true]);
      await until(10_000, 'the thread of orders', async () => {
        expect(await ask('getOrder', '/v1/orders/a')).to.equal(first);
        return asked().at(-1) === lists ? null : true;
      });
      await ask('listOrders', '/v1/orders');
      expect(asked().at(-1) === lists).to.equal(true);
    } finally {
      watching.mock.restore();
    }
  });

  it('for a report are answered in the form that the caller prefers, and both flows as a workbook', async () => {
    const typeOf = async (routeId: string, path: string, prefers: string | null): Promise<string> => {
      const made = await handed(routeId, path, prefers);
      return made === null || E.isLeft(made) ? expect.fail(JSON.stringify(made)) : made.right.type;
    };
    expect(await typeOf('getOnRampReport', '/v1/reports/onramp', 'application/json')).to.equal('application/json');
    expect(await typeOf('getOnRampReport', '/v1/reports/onramp', CSV.type)).to.equal(CSV.sent);
    expect(await typeOf('getOffRampReport', '/v1/reports/offramp', XLSX.type)).to.equal(XLSX.sent);
    expect(await typeOf('getReportWorkbook', '/v1/reports/workbook', XLSX.type)).to.equal(XLSX.sent);
  });

  it('let go of read models that serve no more, in the thread of orders too: their disk space is given back', async () => {
    // By the test before this one it has them open.
    const { status, err } = await runHere(['replay'], { DATA_DIR: folder.path });
    expect(status, err).to.equal(0);
    await until(10_000, 'files that are gone to be closed', async () => {
      right(await readModels.tallies(instantOf(0))());
      const files = openFiles();
      return files.some((file) => file.includes('.g2')) && !files.some((file) => file.endsWith('(deleted)'))
        ? true
        : null;
    });
  }).timeout(30_000);

  it('about one order that its thread dies of are said to have no answer, and the next are answered at once', async () => {
    const ended = await until(10_000, 'the thread of orders', async () => {
      const killing = mock.method(Worker.prototype, 'postMessage', function (this: Worker): void {
        void this.terminate();
      });
      const made = await handed('getOrder', '/v1/orders/a').finally(() => killing.mock.restore());
      const next = await until(10_000, 'an answer', async () => {
        const answer = await handed('getOrder', '/v1/orders/a');
        return answer !== null && E.isRight(answer) ? answer : null;
      });
      expect(Buffer.from(next.right.bytes).toString()).to.include('"orderId":"a"');
      const isOfOrders = made !== null && E.isLeft(made) && JSON.stringify(made.left).includes('thread orders');
      return isOfOrders ? made : null;
    });
    expect(ended).to.deep.equal(E.left({ _tag: 'ReadModelsUnavailable', detail: 'thread orders has ended' }));
  });

  it('for a page say of a log that lacks what was signed that it does, not that nothing is signed yet', async () => {
    const shown = async (log: HandedPageQuestion['log']): Promise<string> => {
      const made = await readModels.handedPage(pageQuestion(log));
      if (made === null || E.isLeft(made) || made.right._tag !== 'Document') return expect.fail(JSON.stringify(made));
      return Buffer.from(made.right.bytes).toString();
    };
    expect(await shown(E.left({ _tag: 'HistoryLost', detail: 'of 3 events' }))).to.include(
      'lacks events that were signed',
    );
    expect(await shown(NOT_SIGNED)).to.include('no checkpoint includes it yet');
  });

  it('that the thread dies of are not made again by the thread that receives, and others are when it lives again', async () => {
    const killing = mock.method(Worker.prototype, 'postMessage', function (this: Worker): void {
      void this.terminate();
    });
    const made = await readModels.handedPage(pageQuestion(NOT_SIGNED)).finally(() => killing.mock.restore());
    expect(made).to.deep.equal(E.left({ _tag: 'ReadModelsUnavailable', detail: 'thread queries has ended' }));
    const next = await until(10_000, 'the thread', () => readModels.handedPage(pageQuestion(NOT_SIGNED)));
    expect(next).to.satisfy(E.isRight);
  });
});
