import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ApiKey } from '../../src/access/api-key.ts';
import { queryLimits } from '../../src/access/query-limits.ts';
import { streamPlaces } from '../../src/access/stream-places.ts';
import { isLoopback } from '../../src/config/index.ts';
import type { ConsoleDependencies } from '../../src/console/console-dependencies.ts';
import { consoleRouter } from '../../src/console/console-router.ts';
import type { ConsoleRoute } from '../../src/console/console-question.ts';
import { EndedSessions } from '../../src/console/ended-sessions.ts';
import { html } from '../../src/console/html.ts';
import { livePage } from '../../src/console/live-page.ts';
import { seeOther, showPage } from '../../src/console/page.ts';
import { illFormed } from '../../src/queries/failure/query-failure.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { StagedFiles } from '../../src/console/upload/staged-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { routeDependencies } from '../support/route-dependencies.ts';
import { serveRouters } from '../support/serve-api.ts';
import { wellAt } from './health/well.ts';

/** A key of these scopes, whose id and text are as given. */
export const keyOf = (id: string, text: string, scopes: readonly string[]): ApiKey => ({
  id,
  scopes: new Set(scopes),
  sha256: createHash('sha256').update(text).digest('hex'),
});

/**
 * The frame around a page that is looked at, `/console/orders`, a form that does something, `/console/done`, and one that takes
 * no file that it is given, `/console/file`.
 */
export type RouterScene = {
  readonly url: string;
  /** The folder that files of forms are written to. */
  readonly uploads: string;
  /** What the form was sent with, each time that it did something. */
  readonly done: ReadonlyMap<string, string>[];
  /** How often the keys were looked at. */
  readonly looks: () => number;
  /** The keys that are valid from now on. */
  readonly setKeys: (keys: readonly ApiKey[]) => void;
  readonly passSeconds: (seconds: number) => void;
  /** Has the page that is looked at made by something else. */
  readonly handOverPage: (by: HandOverPage) => void;
  readonly close: () => Promise<void>;
};

type HandOverPage = NonNullable<ConsoleDependencies['handOverPage']>;

export const PER_MINUTE = 200;

/** `endedIn`: the file in which it keeps who signed out. */
type Over = { readonly publicUrl?: string | null; readonly endedIn?: string | null };

/** When it is at the start. */
export const NOON_MS = Date.UTC(2026, 0, 31, 12);

/** Starts it on a free port, with a clock that stands until it is told otherwise. */
export const routerScene = async (keys: readonly ApiKey[], over: Over = {}): Promise<RouterScene> => {
  const { publicUrl = null, endedIn = null } = over;
  let valid = keys;
  let looks = 0;
  let nowMs = NOON_MS;
  let handOver: HandOverPage = () => Promise.resolve(null);
  const done: ReadonlyMap<string, string>[] = [];
  const routes: readonly ConsoleRoute[] = [
    {
      method: 'get',
      path: '/console/orders',
      scopes: ['orders:read'],
      isLarge: true,
      answer: ({ session }) =>
        TE.right(showPage({ title: 'Seen', place: 'none', main: html`<h1>${session.key.id}</h1>` })),
    },
    {
      method: 'get',
      path: '/console/periods/{period}',
      scopes: ['orders:read'],
      isLarge: ({ path }) =>
        path.endsWith('x') ? TE.left({ _tag: 'NotFound', what: 'period' }) : TE.right(path.endsWith('closed')),
      answer: () => TE.right(showPage({ title: 'Month', place: 'none', main: html`<h1>here</h1>` })),
    },
    {
      method: 'post',
      path: '/console/done',
      scopes: ['orders:read'],
      answer:
        ({ form }) =>
        () => {
          done.push(form);
          return Promise.resolve(E.right(seeOther('/console/orders')));
        },
    },
  ];
  const refused: ConsoleRoute = {
    method: 'post',
    path: '/console/file',
    scopes: ['orders:read'],
    mostFileBytes: 1_000,
    answer: () => TE.left(illFormed('file', 'another one')),
  };
  const closing = new AbortController();
  const deps = routeDependencies({
    apiKeys: () => {
      looks += 1;
      return valid;
    },
    closing: closing.signal,
    streams: streamPlaces(10),
    limits: queryLimits({ perMinute: PER_MINUTE, mostUnderWay: 100 }),
    now: () => instantOf(nowMs),
  });
  const endedSessions = new EndedSessions(endedIn, NOON_MS / 1_000);
  const folder = temporaryFolder();
  const uploads = join(folder.path, 'uploads');
  const stagedFiles = new StagedFiles(uploads, () => nowMs);
  const server = await serveRouters(
    [
      {
        router: consoleRouter(
          {
            ...deps,
            endedSessions,
            stagedFiles,
            handOverPage: (page) => handOver(page),
            health: () => Promise.resolve(wellAt(instantOf(nowMs))),
          },
          { publicUrl, isLoopback },
          [...routes, refused, livePage(deps)],
        ),
        operations: [],
      },
    ],
    deps,
  );
  return {
    url: server.url,
    uploads,
    done,
    looks: () => looks,
    setKeys: (now) => {
      valid = now;
    },
    passSeconds: (seconds) => {
      nowMs += seconds * 1_000;
    },
    handOverPage: (by) => {
      handOver = by;
    },
    close: () => {
      closing.abort();
      folder.remove();
      return server.close();
    },
  };
};
