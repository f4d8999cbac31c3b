import * as RA from 'fp-ts/lib/ReadonlyArray.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { auditEntry, isFoundBy, type AuditEntry } from '../../../projections/audit-trail/index.ts';
import { parseMetadata } from '../../domain/event-metadata.ts';
import { isOrderId, orderStream, quarantineStream, type Position, type StreamName } from '../../domain/ids.ts';
import { comparePositions } from '../../domain/position.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { PAGE_BYTES, PageBytes } from '../../read-models/page-bytes.ts';
import type { AuditFilter, Page, ReadModels } from '../../read-models/read-models.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import { isIn } from './audit-filter.ts';
import { eventBytes, eventsOfPage } from './events-of-page.ts';

/** An event with its entry. */
export type AuditHit = { readonly event: RecordedEvent; readonly entry: AuditEntry };

type Deps = {
  readonly store: Pick<EventStore, 'readStream' | 'readAt'>;
  readonly readModels: Pick<ReadModels, 'ordersWithUtr' | 'quarantinedOf' | 'auditPositions' | 'progress'>;
};

export type AuditSearch = {
  readonly q: string;
  readonly filter: AuditFilter;
  readonly after: Position | null;
  readonly limit: number;
};

const byPosition = (a: AuditHit, b: AuditHit): number => comparePositions(a.entry.position, b.entry.position);

const hitOf = (event: RecordedEvent): AuditHit => ({ event, entry: auditEntry(event) });

const streams = (
  { store }: Deps,
  names: readonly StreamName[],
): TE.TaskEither<QueryFailure, readonly RecordedEvent[]> =>
  pipe(
    [...new Set(names)],
    TE.traverseArray((name) => store.readStream(name)),
    TE.map(RA.flatten),
  );

/** The quarantine streams of the bodies of some events: what an order holds may have come out of quarantine. */
const quarantineOf = (events: readonly RecordedEvent[]): readonly StreamName[] =>
  events.flatMap((event) => {
    const metadata = parseMetadata(event.metadata);
    return metadata === null ? [] : [quarantineStream(metadata.bodySha256)];
  });

/**
 * Every event that an order id or a utr may find: all of the order with this id and of those with this utr, and what
 * became of their bodies in quarantine.
 */
const eventsAround = (deps: Deps, q: string): TE.TaskEither<QueryFailure, readonly RecordedEvent[]> => {
  const { store, readModels } = deps;
  const orderId = isOrderId(q) ? q : null;
  return pipe(
    TE.Do,
    TE.bind('withUtr', () => readModels.ordersWithUtr(q)),
    TE.bind('positions', () => readModels.quarantinedOf(q)),
    TE.bindW('quarantined', ({ positions }) => store.readAt(positions)),
    TE.bindW('inOrders', ({ withUtr }) =>
      streams(deps, (orderId === null ? withUtr : [orderId, ...withUtr]).map(orderStream)),
    ),
    TE.chain(({ quarantined, inOrders }) =>
      pipe(
        streams(deps, [...quarantined.map(({ stream }) => stream), ...quarantineOf(inOrders)]),
        TE.map((inQuarantine) => [...inOrders, ...inQuarantine]),
      ),
    ),
  );
};

/** Whether some hits, in order, come to more than a page, so that it ends before the last of them. */
const exceedPage = (hits: readonly AuditHit[], limit: number): boolean =>
  hits.length > limit ||
  (hits.length > 1 && hits.reduce((bytes, { event }) => bytes + eventBytes(event), 0) > PAGE_BYTES);

/** The first of some hits, in order, as many as a page has. */
const withinPage = (hits: readonly AuditHit[], limit: number): Page<AuditHit> => {
  const bytes = new PageBytes();
  const first = hits.slice(0, limit);
  const end = first.findIndex(({ event }) => !bytes.takes(eventBytes(event)));
  const data = end < 0 ? first : first.slice(0, end);
  return { data, more: data.length < hits.length };
};

/** What the index of event ids, body digests and request ids finds, in order: more than a page where there is another one. */
const fromIndex = (
  { store, readModels }: Deps,
  { q, filter, after, limit }: AuditSearch,
  fits: (hit: AuditHit) => boolean,
): TE.TaskEither<QueryFailure, readonly AuditHit[]> => {
  const further = (behindPosition: Position | null, found: readonly AuditHit[]): ReturnType<typeof fromIndex> =>
    pipe(
      readModels.auditPositions({ ...filter, term: q, after: behindPosition, limit }),
      TE.bindTo('page'),
      TE.bindW('read', ({ page }) => eventsOfPage(store, page.data)),
      TE.chainW(({ page: { data, more }, read: { events, areAll } }) => {
        const hits = [...found, ...events.map(hitOf).filter(fits)];
        const last = areAll ? data.at(-1) : events.at(-1)?.position;
        const isMore = (more || !areAll) && last !== undefined;
        return isMore && !exceedPage(hits, limit) ? further(last, hits) : TE.right(hits);
      }),
    );
  return further(after, []);
};

/**
 * A page of what a text finds in the trail (docs/spec/http.md, Audit trail), in the order of positions. Streams may hold
 * events that the read models do not know yet. These events are left out: the read models may still bring entries that
 * belong before them.
 */
export const auditSearch = (deps: Deps, search: AuditSearch): TE.TaskEither<QueryFailure, Page<AuditHit>> => {
  const { q, filter, after, limit } = search;
  const checkpoint = deps.readModels.progress().checkpoint?.position ?? null;
  if (checkpoint === null) return TE.right({ data: [], more: false });
  const fits = ({ entry }: AuditHit): boolean =>
    comparePositions(entry.position, after) > 0 &&
    comparePositions(entry.position, checkpoint) <= 0 &&
    isFoundBy(entry, q) &&
    isIn(filter, entry);
  return pipe(
    TE.Do,
    TE.bind('around', () => eventsAround(deps, q)),
    TE.bind('indexed', () => fromIndex(deps, search, fits)),
    TE.map(({ around, indexed }) => {
      const hits = new Map<Position, AuditHit>();
      for (const hit of [...around.map(hitOf).filter(fits), ...indexed]) hits.set(hit.entry.position, hit);
      const found = [...hits.values()].toSorted(byPosition);
      return withinPage(found, limit);
    }),
  );
};
