import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { troubleLine } from '../src/domain/trouble.ts';
import { positionNumber } from '../src/domain/position.ts';
import { openBeside, type SqliteLocation } from '../src/event-store/sqlite/sqlite-event-store.ts';
import { buildReadModels } from './build-read-models.ts';
import { writableLedger, type LedgerSource } from './filled-ledger.ts';
import type { OwnedResources } from './owned-resources.ts';
import { plainRead } from './plain-read.ts';
import { queryClient, type QueryClient } from './query-client.ts';
import { listPath, withQuery } from './query-kind.ts';
import { newApiKeys, startLedger } from './server-process.ts';
import { BENCH_SECRET } from './signed-delivery.ts';
import { median, rounded } from './spread.ts';
import { temporaryStorage, type Storage } from './temporary-storage.ts';

export type AsOfOptions = { readonly source: LedgerSource; readonly rounds: number };

/** Medians of the rounds, in ms. */
type Timed = {
  /** The first moment that lies back. */
  readonly firstMs: number;
  /** Another one beside it. */
  readonly besideMs: number;
  /** The same one again. */
  readonly againMs: number;
};

export type AsOfResult = {
  readonly benchmark: 'asof';
  readonly orders: number;
  readonly events: number;
  readonly storage: Storage;
  /** The same report and list of now. */
  readonly now: { readonly reportMs: number; readonly listMs: number };
  /** The very first question about a moment, which starts the thread that answers them. */
  readonly startMs: number;
  /** A pass over the whole log that parses its events: what a moment would cost without any kept state. */
  readonly plainPassMs: number;
  readonly moments: readonly {
    /** How many events came since. */
    readonly eventsSince: number;
    readonly goalMs: number | null;
    readonly report: Timed;
    readonly list: Timed;
  }[];
  /** Reports of now, asked one after the other while the first one of the farthest moment is made. */
  readonly meanwhileMs: { readonly p50: number; readonly longest: number; readonly requests: number };
};

const DISTANCES = [
  { eventsSince: 1_000, goalMs: null },
  { eventsSince: 10_000, goalMs: 300 },
  { eventsSince: 100_000, goalMs: 3_000 },
] as const;

/** A moment beside another one is so many events from it. */
const APART = 13;
const WARM_UPS = 20;

type Paths = { readonly report: (asOf?: string) => string; readonly list: (asOf?: string) => string };

const asOfIn = (asOf: string | undefined): Readonly<Record<string, string>> => (asOf === undefined ? {} : { asOf });

const PATHS: Paths = {
  report: (asOf) => withQuery('/v1/reports/onramp', { groupBy: 'month', ...asOfIn(asOf) }),
  list: (asOf) => listPath({ phase: 'settled', ...asOfIn(asOf) }),
};

const headOf = async (location: SqliteLocation): Promise<number> => {
  const store = openBeside(location);
  if (E.isLeft(store)) throw new Error(troubleLine(store.left));
  const head = await store.right.head()();
  await store.right.close();
  if (E.isLeft(head) || head.right === null) throw new Error('the ledger has no events that could be read');
  return positionNumber(head.right);
};

const timesOf = async (client: QueryClient, path: string, times: number): Promise<readonly number[]> => {
  const taken: number[] = [];
  for (let i = 0; i < times; i += 1) taken.push((await client.get(path, false)).ms);
  return taken;
};

const figure = (taken: readonly number[]): number => rounded(median(taken), 1);

/** Times of one kind of question, one for each round. */
class Taken {
  readonly #first: number[] = [];
  readonly #beside: number[] = [];
  readonly #again: number[] = [];

  async ask(client: QueryClient, path: (asOf?: string) => string, position: number): Promise<void> {
    const asked = path(String(position));
    this.#first.push((await client.get(asked, false)).ms);
    this.#again.push((await client.get(asked, false)).ms);
    this.#beside.push((await client.get(path(String(position - APART)), false)).ms);
  }

  timed(): Timed {
    return { firstMs: figure(this.#first), besideMs: figure(this.#beside), againMs: figure(this.#again) };
  }
}

/**
 * Reports and lists as of moments that lie so many events back, over HTTP, beside those of now and beside a plain pass
 * over the log.
 *
 * @param note takes a line of progress
 * @throws Error where the ledger answers anything but what was asked for
 */
export const measureAsOf = async (
  owned: OwnedResources,
  { source, rounds }: AsOfOptions,
  note: (line: string) => void,
): Promise<AsOfResult> => {
  const ledger = await writableLedger(owned, source, note);
  const { location, filling, events } = ledger;
  const plainSeconds = await plainRead(location.file, events, (data, metadata): readonly unknown[] => [
    JSON.parse(data),
    JSON.parse(metadata),
  ]);
  const built = await buildReadModels(location, join(location.dataDir, 'read-models.db'));
  note(`read models built in ${built.seconds.toFixed(1)} s`);
  const head = await headOf(location);
  const apiKeys = newApiKeys();
  const starts: number[] = [];
  /** Asks a ledger that has just started, whose thread for moments has begun to work, and that knows no moment but that of now. */
  const freshly = async <A>(ask: (client: QueryClient, other: QueryClient) => Promise<A>): Promise<A> => {
    const server = await startLedger(owned, {
      secret: BENCH_SECRET,
      apiKeys,
      dataDir: location.dataDir,
      nodeArguments: [],
    });
    const newClient = (): QueryClient => queryClient({ host: server.host, port: server.port, apiKeys });
    const [client, other] = [newClient(), newClient()];
    await timesOf(client, PATHS.report(), WARM_UPS / 2);
    starts.push((await client.get(PATHS.report(String(head - 1)), false)).ms);
    const answer = await ask(client, other);
    for (const one of [client, other]) one.close();
    await server.stop();
    return answer;
  };

  const now = await freshly(async (client) => ({
    reportMs: figure(await timesOf(client, PATHS.report(), WARM_UPS)),
    listMs: figure((await timesOf(client, PATHS.list(), WARM_UPS)).slice(WARM_UPS / 2)),
  }));
  const moments: AsOfResult['moments'][number][] = [];
  for (const { eventsSince, goalMs } of DISTANCES) {
    if (eventsSince + APART >= head) continue;
    note(`${eventsSince} events back`);
    const [report, list] = [new Taken(), new Taken()];
    for (let round = 0; round < rounds; round += 1) {
      await freshly((client) => report.ask(client, PATHS.report, head - eventsSince));
      await freshly((client) => list.ask(client, PATHS.list, head - eventsSince));
    }
    moments.push({ eventsSince, goalMs, report: report.timed(), list: list.timed() });
  }
  const farthest = Math.max(1, head - (moments.at(-1)?.eventsSince ?? 0));
  const meanwhile = await freshly(async (client, other) => {
    const state = { isMade: false };
    const farthestMade = async (): Promise<void> => {
      await client.get(PATHS.report(String(farthest)), false);
      state.isMade = true;
    };
    const made = farthestMade();
    const taken: number[] = [];
    while (!state.isMade) taken.push((await other.get(PATHS.report(), false)).ms);
    await made;
    return taken;
  });
  ledger.remove();
  return {
    benchmark: 'asof',
    orders: filling.orders,
    events,
    storage: temporaryStorage(),
    now,
    startMs: figure(starts),
    plainPassMs: rounded(plainSeconds * 1000, 0),
    moments,
    meanwhileMs: { p50: figure(meanwhile), longest: rounded(Math.max(...meanwhile), 1), requests: meanwhile.length },
  };
};
