import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { QueryClient } from './query-client.ts';
import type { QueryDates } from './query-dates.ts';
import { GOALS, listPath, type Parameters, type QueryKind } from './query-kind.ts';

const Page = t.type({ next: t.union([t.string, t.null]) });

const DEPTH = 20;

/** The cursor of page 20, or of the last one where there are fewer; null for a single page. */
const deepCursor = async (client: QueryClient, parameters: Parameters): Promise<string | null> => {
  let cursor: string | null = null;
  for (let page = 1; page < DEPTH; page += 1) {
    const { text } = await client.get(listPath({ ...parameters, ...(cursor === null ? {} : { cursor }) }), false);
    const decoded = Page.decode(JSON.parse(text));
    if (E.isLeft(decoded)) throw new Error('a page of orders could not be read');
    if (decoded.right.next === null) return cursor;
    cursor = decoded.right.next;
  }
  return cursor;
};

/** Pages of orders far behind the first one. What comes in meanwhile moves none: they begin behind an order. */
export const deepKinds = async (client: QueryClient, { month, year }: QueryDates): Promise<readonly QueryKind[]> => {
  const lists: Readonly<Record<string, Parameters>> = {
    all: {},
    'frequent status': { status: 'completed' },
    'scarce status': { status: 'refunding' },
    currency: { currency: 'AED' },
    'anomaly=any': { anomaly: 'any' },
    'phase=settled, month': { phase: 'settled', ...month(0) },
    'year settled': { ...year(0), basis: 'settled' },
  };
  const kinds: QueryKind[] = [];
  for (const [name, parameters] of Object.entries(lists)) {
    const cursor = await deepCursor(client, parameters);
    if (cursor === null) continue;
    const path = listPath({ ...parameters, cursor });
    kinds.push({ name: `page ${DEPTH}: ${name}`, goalMs: GOALS.list, personal: false, path: () => path });
  }
  return kinds;
};
