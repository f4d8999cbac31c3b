import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../src/domain/brand.ts';
import type { Position, RequestId } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { openServing, type SqliteEventStore } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { EVERY_ORDER } from '../../src/read-models/order-filter.ts';
import type { OrdersQuestion } from '../../src/read-models/read-models.ts';
import { catchUp } from '../../src/read-models/runner.ts';
import { Generations } from '../../src/read-models/sqlite/generations.ts';
import { openTarget } from '../../src/read-models/sqlite/open-target.ts';
import { IncludedFloor } from '../../src/threads/included-floor.ts';
import type { LedgerLocation } from '../../src/threads/ledger-location.ts';
import { queryProtocol, type Answer, type QueryNote, type Question } from '../../src/threads/query-message.ts';
import { startStreams, type ThreadedStreams } from '../../src/threads/threaded-streams.ts';
import { WorkerClient } from '../../src/threads/worker-client.ts';
import { bodyOf, onRamp } from '../support/payloads.ts';
import { deliverUnaware } from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';
import { runHere } from '../support/run-here.ts';
import { there } from '../support/sqlite-read-models.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const NOW = instantOf(0);
const ORDERS: OrdersQuestion = { filter: EVERY_ORDER, after: null, limit: 10, now: NOW, counted: false };

const listed = (texts: readonly (readonly [string, string])[]): Question => ({
  _tag: 'Handed',
  handed: {
    routeId: 'listOrders',
    question: {
      path: '/v1/orders',
      texts,
      scopes: ['orders:read'],
      requestId: branded<RequestId>('r'),
      keyId: 'k',
      prefers: null,
    },
    now: NOW,
    matchDueDays: 1,
    secrets: [],
    log: E.left({ _tag: 'ProofsBehind', detail: null }),
  },
});

const countOf = (text: string): number => text.split('"orderId":').length - 1;

/** How many orders an answer lists. */
const ordersIn = (answer: Answer): number => {
  if (answer._tag === 'Orders') return answer.page.data.length;
  if (answer._tag === 'Handed' && answer.made !== null)
    return countOf(Buffer.from(right(answer.made).bytes).toString());
  return expect.fail(JSON.stringify(answer));
};

describe('read models that were built beside those which are followed', () => {
  const folder = temporaryFolder();
  const readModelFile = `${folder.path}/read-models.db`;
  const location: LedgerLocation & { readonly kind: 'sqlite' } = {
    kind: 'sqlite',
    dataDir: folder.path,
    file: `${folder.path}/events.db`,
  };
  const floor = new IncludedFloor();
  let store: SqliteEventStore;
  let queries: WorkerClient<Question, Answer, QueryNote>;
  let streams: ThreadedStreams;

  /** What serves is followed from now on, as by the thread that has held it to the log. */
  const follow = (): void => {
    const generations = right(Generations.open(readModelFile));
    const target = there(openTarget(generations, 'UTC'));
    floor.follow(target.stamp);
    target.close();
    generations.close();
  };

  before(async () => {
    store = right(await openServing(location));
    await deliverUnaware(store, bodyOf(onRamp({ orderId: 'first' })));
    const { status, err } = await runHere(['replay'], { DATA_DIR: folder.path });
    expect(status, err).to.equal(0);
    follow();
    const data = { location, readModelFile, timeZone: 'UTC', loadsFirst: true, floor: floor.shared };
    const file = new URL('../../src/threads/query-thread.ts', import.meta.url);
    queries = new WorkerClient({ name: 'queries', file, data, protocol: queryProtocol });
    streams = startStreams({ location, readModelFile, floor: floor.shared }, () => []);
  });
  after(async () => {
    await Promise.all([queries.close(), streams.close()]);
    await store.close();
    folder.remove();
  });

  const exported = async (): Promise<number> => {
    const terms = { format: 'ndjson', personal: 'masked', filters: {}, timeZone: 'UTC', now: NOW } as const;
    const made = right(await streams.exporter({ ...terms, kind: 'orders', filter: EVERY_ORDER })());
    let text = '';
    for await (const piece of made.pieces) text += Buffer.from(right(piece)).toString();
    await made.close();
    return countOf(text);
  };

  /** What each kind of question is answered with: lists of now, lists of a moment, exports. */
  const asked = (moment: Position): Promise<readonly number[]> => {
    const asOf = { checkpoint: { position: moment, at: NOW } };
    const questions: readonly Question[] = [
      { _tag: 'Orders', question: ORDERS },
      { _tag: 'Orders', question: { ...ORDERS, asOf } },
      listed([]),
      listed([['asOf', moment]]),
    ];
    return Promise.all([
      ...questions.map(async (question) => ordersIn(right(await queries.ask(question)))),
      exported(),
    ]);
  };

  it('answer nothing before they are as far: what was answered once, or waited for, stays included', async () => {
    const first = there(right(await store.head()()));
    expect(await asked(first)).to.deep.equal([1, 1, 1, 1, 1]);

    await deliverUnaware(store, bodyOf(onRamp({ orderId: 'second' })));
    const head = there(right(await store.head()()));
    // Those that the ledger follows have it; the ones in the file, which another process has taken into use, do not yet.
    floor.set({ position: head, at: NOW });
    const answers = asked(head);
    const generations = right(Generations.open(readModelFile));
    const target = there(openTarget(generations, 'UTC'));
    right(await catchUp(store, target, head, { onApplied: () => undefined, onUnreadable: () => undefined }));
    target.close();
    generations.close();
    expect(await answers).to.deep.equal([2, 2, 2, 2, 2]);
  });

  it('answer nothing where no generation, or another one, is followed', async () => {
    floor.follow(null);
    const question: Question = { _tag: 'Orders', question: ORDERS };
    expect(right(await queries.ask(question))).to.deep.equal({ _tag: 'NotBuilt' });
    // Stamps begin with 1, and nearly none is that.
    floor.follow(1);
    const answers = [question, { ...question, question: { ...ORDERS, asOf: { checkpoint: null } } }, listed([])];
    for (const answer of await Promise.all(answers.map((it) => queries.ask(it))))
      expect(right(answer)).to.deep.equal({ _tag: 'Unavailable', detail: 'the read models are not as far yet' });
    follow();
    expect(ordersIn(right(await queries.ask(question)))).to.equal(2);
  }).timeout(20_000);

  it('that stay behind are said to be so', async () => {
    const beyond = branded<Position>(String(Number(right(await store.head()())) + 1));
    floor.set({ position: beyond, at: NOW });
    const answer = right(await queries.ask({ _tag: 'Orders', question: ORDERS }));
    expect(answer).to.deep.equal({ _tag: 'Unavailable', detail: 'the read models are not as far yet' });
    // A log that was put back from a copy is shorter.
    floor.set(null);
    expect(ordersIn(right(await queries.ask({ _tag: 'Orders', question: ORDERS })))).to.equal(2);
  });
});
