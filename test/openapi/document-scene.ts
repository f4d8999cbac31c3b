import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { metricsRoutes } from '../../src/api/metrics-routes.ts';
import { queryLimits } from '../../src/access/query-limits.ts';
import { isLoopback } from '../../src/config/loopback.ts';
import { branded } from '../../src/domain/brand.ts';
import type { SecretId } from '../../src/domain/ids.ts';
import { isJsonObject, type JsonObject } from '../../src/domain/json.ts';
import { readExactly } from '../../src/domain/read-exactly.ts';
import type { ReceiveDeps, ReceiveSettings } from '../../src/webhooks/receive-delivery.ts';
import { webhookRoutes } from '../../src/webhooks/webhook-routes.ts';
import { DocumentChecker, seenAnswer, type SeenAnswer } from '../support/document-checker.ts';
import { NO_ARRIVALS } from '../support/no-arrivals.ts';
import { SECRET, signatureOf } from '../support/payloads.ts';
import { NOW } from '../support/route-dependencies.ts';
import { API_KEYS, serveApi, type ServedApi } from '../support/serve-api.ts';
import { successes } from './successes.ts';

/** With every refusal of a delivery within reach. */
const SETTINGS: ReceiveSettings = {
  signatureHeader: 'X-Service-Signature',
  signedForm: 'bytes',
  maxBodyBytes: 10_000,
  bodyWithinMs: 200,
  maxAgeSeconds: 300,
  mostUnderWay: 100,
  mostUnread: 100,
};

/** An id that no event has. */
export const NOBODY = randomUUID();

/** The decision of an item that is not there. */
export const DECISION = `/v1/reconciliation/items/${'0'.repeat(40)}/decision`;

/** What a decision is asked with, by the method. */
export const EXPLAINED = (method: string): RequestInit => (method === 'POST' ? { body: '{"decision":"explain"}' } : {});

/** The document of an interface whose settings let every problem occur. */
export const documentOf = async (api: ServedApi): Promise<JsonObject> => {
  const { value } = readExactly(await (await api.ask('/openapi.json', null)).text());
  return isJsonObject(value) ? value : expect.fail('no document');
};

/** The route of deliveries over a recorder of the test's. */
export const webhooksOver = (record: ReceiveDeps['record']): ReturnType<typeof webhookRoutes> =>
  webhookRoutes({
    settings: SETTINGS,
    secrets: () => [{ id: branded<SecretId>('primary'), key: Buffer.from(SECRET) }],
    now: () => NOW,
    recall: () => null,
    record,
    onVerified: () => undefined,
    ...NO_ARRIVALS,
    onFailure: () => undefined,
  });

/** How a delivery is sent, signed unless the headers say otherwise. */
export const delivery = (body: Buffer, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  body: body.toString(),
  headers: { 'Content-Type': 'application/json', 'X-Service-Signature': signatureOf(body), ...headers },
});

type MetricsDeps = Parameters<typeof metricsRoutes>[0];

/** The route of the metrics, for holders of a key with `admin` unless they are open. */
export const metricsOf = (over: Partial<MetricsDeps> = {}): ReturnType<typeof metricsRoutes> =>
  metricsRoutes({
    open: false,
    isLoopback,
    page: () => Promise.resolve({ type: 'text/plain; version=0.0.4; charset=utf-8', text: 'figure 1\n' }),
    apiKeys: () => API_KEYS,
    limits: queryLimits({ perMinute: 1_000_000, mostUnderWay: 100 }),
    log: { error: () => undefined, warn: () => undefined },
    ...over,
  });

/** Asks an interface, and holds what it answers to the document. `scopes` names a key as `serveApi` does; null: none. */
type HeldAsk = (method: string, path: string, scopes: string | null, init?: RequestInit) => Promise<SeenAnswer>;

type KeyedRequest = {
  readonly method: string;
  /** Without its parameters. */
  readonly path: string;
  readonly whole: string;
  readonly scopes: string;
  readonly init: RequestInit;
};

/** One document, which the answers of many interfaces are held to. */
export type DocumentScene = {
  readonly checker: () => DocumentChecker;
  readonly asker: (api: ServedApi) => HeldAsk;
  /** What needs a key: a request of each operation. */
  readonly keyed: () => readonly (readonly [operation: string, request: KeyedRequest])[];
};

/** The document is asked for before the tests of the suite that this is called in. */
export const documentScene = (): DocumentScene => {
  let asked: DocumentChecker | null = null;
  const checker = (): DocumentChecker => asked ?? expect.fail('no document yet');
  before(async () => {
    const api = await serveApi({}, [webhooksOver(() => TE.right({ outcome: 'spooled', orderId: null })), metricsOf()]);
    asked = new DocumentChecker(await documentOf(api));
    await api.close();
  });
  return {
    checker,
    asker:
      ({ ask }) =>
      async (method, path, scopes, init = {}) => {
        const answer = await seenAnswer(await ask(path, scopes, { ...init, method }));
        checker().hold(method, path, answer);
        return answer;
      },
    keyed: () => [
      ...Object.entries(successes({ onRamp: 'a', offRamp: 'b', quarantined: NOBODY })).flatMap(([id, [first]]) => {
        const scopes = checker().scopes(id).join('+');
        if (first === undefined || scopes === '') return [];
        const { method, path: whole, body } = first;
        const init = body === undefined ? {} : { body };
        return [[id, { method, path: whole.replace(/\?.*/, ''), whole, scopes, init }] as const];
      }),
      ['getMetrics', { method: 'GET', path: '/metrics', whole: '/metrics', scopes: 'admin', init: {} }],
    ],
  };
};
