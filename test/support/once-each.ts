import { expect } from 'chai';
import { sha256 } from '../../src/domain/sha256.ts';
import { meaningOf, type Meaning } from './meaning.ts';
import type { Attempt } from './persistent-provider.ts';
import type { Trace } from './stored-traces.ts';

type Told = { readonly meaning: Meaning; readonly attempts: readonly Attempt[]; readonly trace: Trace };

/** Clocks are read before and after, in whole milliseconds. */
const CLOCK_MS = 2;

const groupedBy = <A>(items: readonly A[], keyOf: (item: A) => string): ReadonlyMap<string, readonly A[]> => {
  const groups = new Map<string, A[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
};

const streamOf = ({ order }: Meaning, body: Buffer, isQuarantined: boolean): string =>
  order === null || isQuarantined ? `quarantine-${sha256(body)}` : `order-${order.orderId}`;

/** An event is the very request whose id it has, as it was received then. */
const expectOwn = ({ attempts, trace }: Told): void => {
  const own = attempts.find(({ requestId }) => requestId === trace.requestId);
  if (own === undefined) expect.fail(`${trace.stream} has a request ${trace.requestId} that nobody sent so`);
  expect(trace.bodySha256, trace.requestId).to.equal(sha256(own.body));
  expect(trace.receivedAt, `received, ${trace.requestId}`).to.be.within(
    own.sentAt - CLOCK_MS,
    (own.answeredAt ?? Date.now()) + CLOCK_MS,
  );
};

/** Each acknowledgement names the event that there is; only the request that it came from was told `recorded`. */
const expectAnswered = ({ attempts, trace }: Told): void => {
  for (const { acknowledgement: told, requestId } of attempts) {
    if (told === null || told.outcome === 'spooled') continue;
    const { eventId, stream, revision, position } = trace;
    const what = `${requestId}, ${told.outcome}`;
    expect(told, what).to.include({ eventId, stream, revision, position });
    if (told.outcome === 'recorded') expect(requestId, what).to.equal(trace.requestId);
    if (told.outcome === 'quarantined') expect(trace.type, what).to.equal('DeliveryQuarantined');
    else expect(told.outcome === 'conflict', what).to.equal(trace.type === 'ConflictingDelivery');
  }
};

/** What was acknowledged before something else of its order was sent stands before it. */
const expectOrder = (told: readonly Told[]): void => {
  const inStream = told.toSorted((a, b) => a.trace.revision - b.trace.revision);
  expect(inStream.map(({ trace }) => trace.revision)).to.deep.equal([...inStream.keys()]);
  const acknowledgedAt = inStream.map(({ attempts }) =>
    Math.min(...attempts.map((it) => (it.acknowledgement === null ? Infinity : (it.answeredAt ?? Infinity)))),
  );
  for (const [place, { attempts, trace }] of inStream.entries()) {
    const firstSentAt = Math.min(...attempts.map(({ sentAt }) => sentAt));
    const overtaken = acknowledgedAt.slice(place + 1).filter((at) => at < firstSentAt);
    expect(overtaken, `${trace.stream}: revision ${trace.revision} was sent after a later one was taken`).to.deep.equal(
      [],
    );
  }
};

/**
 * The proof of nothing lost and nothing doubled: the log holds an event for each meaning that a provider sent, and no
 * other; its bytes and its received time are those of one request; every answer names it; orders kept their order.
 *
 * @param attempts of deliveries that were all acknowledged in the end, by whichever ledger
 * @param quarantined bodies that tell of an order of the other flow
 */
export const expectOnceEach = (
  attempts: readonly Attempt[],
  traces: readonly Trace[],
  quarantined: ReadonlySet<string> = new Set(),
): void => {
  const meanings = new Map<string, Meaning>();
  const meaningIn = (body: Buffer): Meaning => {
    const digest = sha256(body);
    const known = meanings.get(digest);
    if (known !== undefined) return known;
    const read = quarantined.has(digest) ? { id: digest, order: null } : meaningOf(body);
    meanings.set(digest, read);
    return read;
  };
  const sent = groupedBy(attempts, ({ body }) => meaningIn(body).id);
  const stored = groupedBy(traces, ({ bodySha256 }) => meanings.get(bodySha256)?.id ?? `unknown ${bodySha256}`);
  const told: Told[] = [];
  for (const [id, of] of sent) {
    const [trace, ...doubles] = stored.get(id) ?? [];
    const [first] = of;
    if (first === undefined || trace === undefined) expect.fail(`lost: ${id}`);
    expect(doubles, `doubled: ${id}`).to.deep.equal([]);
    const meaning = meaningIn(first.body);
    const bodies = of.map(({ body }) => streamOf(meaning, body, quarantined.has(sha256(body))));
    expect(new Set(bodies), id).to.include(trace.stream);
    told.push({ meaning, attempts: of, trace });
  }
  expect(
    [...stored.keys()].filter((id) => !sent.has(id)),
    'of nobody',
  ).to.deep.equal([]);
  expect(new Set(traces.map(({ eventId, stream }) => `${stream}/${eventId}`)).size).to.equal(traces.length);
  for (const each of told) {
    expectOwn(each);
    expectAnswered(each);
  }
  for (const ofStream of groupedBy(told, ({ trace }) => trace.stream).values()) {
    expectOrder(ofStream);
    const keys = ofStream.filter(({ trace }) => trace.type !== 'ConflictingDelivery');
    expect(new Set(keys.map(({ meaning }) => meaning.order?.key)).size).to.equal(keys.length);
  }
};
