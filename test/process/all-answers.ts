import { expect } from 'chai';
import type { Answer } from '../support/exchange.ts';
import { inTurns } from '../support/in-turns.ts';
import { at, textAt } from '../support/naive-json.ts';

/** Everything that a ledger was asked, with what it answered. */
export type Answers = Readonly<Record<string, string>>;

const ASKED_AT_ONCE = 4;

const LISTS = [
  '/v1/orders?limit=7',
  '/v1/orders?limit=500&flow=onramp&phase=settled',
  '/v1/orders?limit=500&flow=offramp&basis=settled',
  '/v1/orders?limit=500&currency=INR&from=2024-10-26&to=2024-11-01',
  '/v1/orders?limit=500&token=USDT&chainId=137',
  '/v1/orders?limit=500&anomaly=any',
  '/v1/orders?limit=500&anomaly=lasting',
  '/v1/orders?limit=500&q=UTR1',
  '/v1/orders?limit=500&q=asha@example.com',
  '/v1/audit?limit=50&verify=true',
  '/v1/audit?limit=500&type=ConflictingDelivery',
  '/v1/audit?limit=500&q=UTR2',
  '/v1/quarantine?limit=3',
];

const REPORTS = ['onramp', 'offramp'].flatMap((flow) =>
  ['created', 'settled'].flatMap((basis) =>
    ['', '&groupBy=day,token,chain', '&groupBy=month,currency&format=csv', '&from=2024-10-27&to=2024-10-31'].map(
      (more) => `/v1/reports/${flow}?basis=${basis}${more}`,
    ),
  ),
);

const ofOrder = (stream: string): readonly string[] => {
  const order = `/v1/orders/${encodeURIComponent(stream.slice('order-'.length))}`;
  return [order, `${order}?revision=0`, `${order}/events`, `${order}/audit`, `${order}/events/0/body`];
};

/**
 * Asks a ledger every kind of question of docs/spec/http.md: of each order, all pages of lists, and the reports. Lists
 * and reports wait for the last of the events.
 * @param ask asks with a key that may see everything
 * @param events all of the ledger
 */
export const allAnswers = async (
  ask: (path: string) => Promise<Answer>,
  events: readonly { readonly stream: string; readonly eventId: string; readonly position: string }[],
): Promise<Answers> => {
  const answers: Record<string, string> = {};
  const position = events.at(-1)?.position ?? '';
  const asked = async (path: string, as = path): Promise<string> => {
    const { status, text } = await ask(path);
    expect(status, `${path}: ${text}`).to.equal(200);
    answers[as] = text;
    return text;
  };
  const askPages = async (path: string): Promise<void> => {
    let cursor = '';
    for (let page = 1; ; page += 1) {
      const next: unknown = at(
        JSON.parse(await asked(`${path}&position=${position}${cursor}`, `${path}, page ${page}`)),
        'next',
      );
      if (typeof next !== 'string') return;
      cursor = `&cursor=${encodeURIComponent(next)}`;
    }
  };
  await inTurns(LISTS, ASKED_AT_ONCE, askPages);
  await inTurns(REPORTS, ASKED_AT_ONCE, async (path) => {
    await asked(`${path}&position=${position}`, path);
  });
  const streams = [...new Set(events.map(({ stream }) => stream))].filter((stream) => stream.startsWith('order-'));
  const quarantined = events.filter(({ stream }) => stream.startsWith('quarantine-'));
  const others = [...streams.flatMap(ofOrder), ...quarantined.map(({ eventId }) => `/v1/quarantine/${eventId}/body`)];
  await inTurns(others, ASKED_AT_ONCE, async (path) => {
    await asked(path);
  });
  return Object.fromEntries(Object.entries(answers).toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

/** What belongs to a store and to the moment, in place of which nothing stands below. */
const OF_THE_STORE = new Set(['recordedAt', 'recordSha256', 'next', 'eventsPerSecond', 'at']);
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/**
 * The same answers from which is taken what two ledgers that received the same deliveries differ in: positions stand for
 * their place in the log, and moments of the test for each other.
 *
 * @param since milliseconds since the Unix epoch
 */
export const comparable = (answers: Answers, positions: readonly string[], since: number): Answers => {
  const places = new Map(positions.map((position, place) => [position, place]));
  const told = (...args: readonly unknown[]): unknown => {
    const [key, value, context] = args;
    if (typeof key !== 'string') return value;
    if (OF_THE_STORE.has(key)) return value === null ? null : `a ${key}`;
    if (typeof value === 'number') return `#${textAt(context, 'source')}`;
    if (key === 'position') return places.get(String(value)) ?? value;
    return typeof value === 'string' && INSTANT.test(value) && Date.parse(value) >= since ? 'now' : value;
  };
  return Object.fromEntries(
    Object.entries(answers).map(([path, text]) => [
      path,
      text.startsWith('{') && !path.endsWith('/body')
        ? JSON.stringify(JSON.parse(text, told))
        : text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (moment) => (Date.parse(moment) >= since ? 'now' : moment)),
    ]),
  );
};

/** Compares answer by answer, so that a failure names the question. */
export const expectSame = (given: Answers, expected: Answers): void => {
  for (const [asked, answer] of Object.entries(expected)) expect(given[asked], asked).to.equal(answer);
  expect(given).to.have.all.keys(Object.keys(expected));
};

/** Every event of a ledger, as its trail lists them. */
export const auditedEvents = async (
  ask: (path: string) => Promise<Answer>,
  position: string,
): Promise<readonly { readonly stream: string; readonly eventId: string; readonly position: string }[]> => {
  const events: { stream: string; eventId: string; position: string }[] = [];
  for (let cursor = ''; ;) {
    const { text } = await ask(`/v1/audit?limit=500&position=${position}${cursor}`);
    const page: unknown = JSON.parse(text);
    const data = at(page, 'data');
    if (!Array.isArray(data)) expect.fail(text);
    for (const entry of data) {
      events.push({
        stream: textAt(entry, 'stream'),
        eventId: textAt(entry, 'eventId'),
        position: textAt(entry, 'position'),
      });
    }
    const next = at(page, 'next');
    if (typeof next !== 'string') return events;
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
};
