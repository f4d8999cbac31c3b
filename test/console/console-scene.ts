import { expect } from 'chai';
import * as t from 'io-ts';
import { deliver, exchange, type Answer } from '../support/exchange.ts';
import { inTurns } from '../support/in-turns.ts';
import type { LedgerEnvironment } from '../support/ledger-process.ts';
import { SECRET } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { serveHere } from '../support/serve-here.ts';
import { until } from '../support/until.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { apiKeys, keyText, type KeyName } from './console-keys.ts';
import { signedInCookie } from './sign-in.ts';
import type { AccessLine } from '../../src/http/access-log.ts';
import type { JsonObject } from '../../src/domain/json.ts';

/** A ledger as an operator starts it, and people who have signed in to it. */
export type ConsoleScene = {
  readonly url: string;
  /** The cookie of a session with this key, one session for each. */
  readonly cookie: (key: KeyName) => Promise<string>;
  /** A page as it is sent to somebody with this key. */
  readonly ask: (path: string, key: KeyName) => Promise<Answer>;
  /** Asks the API with the key that may see all. */
  readonly api: (path: string) => Promise<Answer>;
  /** Delivers signed webhooks, those of an order in their order, and waits until the lists have them. */
  readonly deliver: (orders: readonly (readonly (JsonObject | string)[])[]) => Promise<void>;
  /** Waits until a checkpoint includes all that was delivered. */
  readonly signed: () => Promise<void>;
  /** What the ledger has logged, and a line for each request. */
  readonly logged: () => { readonly out: string; readonly requests: readonly AccessLine[] };
  readonly close: () => Promise<void>;
};

/** Its days begin at half past six in the evening, in UTC. */
export const ZONE = 'Asia/Kolkata';

const Delivered = t.type({ position: t.string });
const Newest = t.type({ data: t.array(t.type({ eventId: t.string })) });
const ORDERS_AT_ONCE = 8;
/** A machine that is busy may take long to make the files durable. */
const SIGNED_WITHIN_MS = 30_000;

/** Starts a ledger with a key for every name. */
export const consoleScene = async (over: LedgerEnvironment = {}): Promise<ConsoleScene> => {
  const folder = temporaryFolder();
  const { url, stop, out, requests } = await serveHere({
    DATA_DIR: `${folder.path}/data`,
    WEBHOOK_SECRETS: `primary=${SECRET}`,
    BUSINESS_TIME_ZONE: ZONE,
    LOG_LEVEL: 'error',
    API_KEYS: apiKeys(),
    ...over,
  });
  const sessions = new Map<KeyName, Promise<string>>();
  const cookie = (key: KeyName): Promise<string> => {
    const session = sessions.get(key) ?? signedInCookie(url, keyText(key));
    sessions.set(key, session);
    return session;
  };
  const api = (path: string): Promise<Answer> =>
    exchange(url, { path, headers: { authorization: `Bearer ${keyText('full')}` } });
  return {
    url,
    cookie,
    api,
    ask: async (path, key) => exchange(url, { path, headers: { cookie: await cookie(key) } }),
    deliver: async (orders) => {
      const positions: string[] = [];
      await inTurns(orders, ORDERS_AT_ONCE, async (payloads) => {
        for (const payload of payloads) {
          const answer = await deliver(url, payload);
          expect(answer.status, answer.text).to.equal(200);
          positions.push(right(Delivered.decode(JSON.parse(answer.text))).position);
        }
      });
      for (const position of positions.slice(-ORDERS_AT_ONCE)) {
        expect((await api(`/v1/orders?limit=1&position=${position}`)).status).to.equal(200);
      }
    },
    signed: async () => {
      await until(SIGNED_WITHIN_MS, 'a checkpoint of all that was delivered', async () => {
        const { data } = right(Newest.decode(JSON.parse((await api('/v1/audit?limit=1')).text)));
        const eventId = data[0]?.eventId ?? '';
        const { status } = await api(`/v1/proofs/inclusion?eventId=${eventId}`);
        return status === 200 ? true : null;
      });
    },
    logged: () => ({ out: out(), requests: requests() }),
    close: async () => {
      await stop();
      folder.remove();
    },
  };
};
