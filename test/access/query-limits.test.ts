import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { queryLimits } from '../../src/access/query-limits.ts';
import { problemOf } from '../../src/api/problem-of.ts';
import type { AccessEnded, Overloaded } from '../../src/queries/failure/query-failure.ts';
import { serveApi, type ServedApi } from '../support/serve-api.ts';
import { loopTurns } from '../support/loop-turns.ts';
import { NO_ARRIVALS } from '../support/no-arrivals.ts';
import { webhookRoutes } from '../../src/webhooks/webhook-routes.ts';
import { instantOf } from '../../src/domain/instant.ts';

const GENEROUS = 1_000_000;

describe('the limit of queries in a minute', () => {
  let api: ServedApi;
  beforeEach(async () => {
    const webhooks = webhookRoutes({
      settings: {
        signatureHeader: 'X-Service-Signature',
        signedForm: 'bytes',
        maxBodyBytes: 1_000,
        maxAgeSeconds: null,
        bodyWithinMs: 1_000,
        mostUnderWay: 10,
        mostUnread: 100,
      },
      secrets: () => [],
      now: () => instantOf(0),
      recall: () => null,
      record: () => expect.fail('nothing is recorded without a signature'),
      onVerified: () => undefined,
      ...NO_ARRIVALS,
      onFailure: () => undefined,
    });
    api = await serveApi({ limits: queryLimits({ perMinute: 3, mostUnderWay: 10 }) }, [webhooks]);
  });
  afterEach(() => api.close());

  const exhaust = async (): Promise<readonly Response[]> => {
    const answers: Response[] = [];
    for (let i = 0; i < 3; i += 1) answers.push(await api.ask('/v1/orders', 'orders:read'));
    return answers;
  };

  it('tells callers what is left', async () => {
    const answers = await exhaust();
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    const left = answers.map(
      ({ headers }) => /^"key";r=(\d+);t=(?:[1-9]|[1-5]\d|60)$/.exec(headers.get('ratelimit') ?? '')?.[1],
    );
    expect(left).to.deep.equal(['2', '1', '0']);
    for (const { headers } of answers) expect(headers.get('ratelimit-policy')).to.equal('"key";q=3;w=60');
  });

  it('answers further ones 429 rate-limited, and says when to ask again', async () => {
    await exhaust();
    const refused = await api.ask('/v1/orders', 'orders:read');
    expect(refused.status).to.equal(429);
    expect(await refused.json()).to.include({ code: 'rate-limited', status: 429 });
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
    expect(refused.headers.get('ratelimit')).to.match(/^"key";r=0;t=\d+$/);
    expect(refused.headers.get('content-type')).to.equal('application/problem+json');
  });

  it('counts each key for itself, on all routes together', async () => {
    await api.ask('/v1/orders/a', 'orders:read');
    await api.ask('/v1/orders?limit=x', 'orders:read');
    await api.ask('/v1/orders/a/events', 'orders:read');
    expect((await api.ask('/v1/orders', 'orders:read')).status).to.equal(429);
    expect((await api.ask('/v1/orders', 'orders:read+pii:read')).status).to.equal(200);
  });

  it('counts nobody without a valid key, so that nobody else can use up what a key has', async () => {
    for (let i = 0; i < 5; i += 1) expect((await api.ask('/v1/orders', null)).status).to.equal(401);
    for (let i = 0; i < 5; i += 1) expect((await api.ask('/v1/orders', 'admin')).status).to.equal(403);
    expect((await api.ask('/v1/orders', 'orders:read')).status).to.equal(200);
  });

  it('never limits deliveries, readiness and liveness', async () => {
    await exhaust();
    for (let i = 0; i < 10; i += 1) {
      const delivery = { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } };
      const refused = await api.ask('/v1/webhooks', 'orders:read', delivery);
      expect(await refused.json()).to.include({ code: 'signature-missing' });
      expect(refused.headers.has('ratelimit')).to.equal(false);
      expect((await api.ask('/readyz', 'orders:read')).status).to.equal(200);
      expect((await api.ask('/livez', 'orders:read')).status).to.equal(200);
    }
  });
});

describe('the limit of queries under way', () => {
  /** Lets questions of keys that stay valid be answered. */
  const admitting = (settings: Parameters<typeof queryLimits>[0]) => {
    const { admit } = queryLimits(settings);
    return <Failure, A>(keyId: string, answer: TE.TaskEither<Failure, A>) =>
      admit({ keyId, mayRead: () => true }, answer, () => Promise.resolve());
  };
  const outcome = (answer: E.Either<Overloaded | AccessEnded, unknown>): unknown => {
    if (E.isRight(answer)) return answer.right;
    const { status, code, retryAfterSeconds } = problemOf(answer.left);
    return [status, code, retryAfterSeconds];
  };

  it('answers one too many 503 overloaded, and lets the next in as soon as one is done', async () => {
    const admit = admitting({ perMinute: GENEROUS, mostUnderWay: 4 });
    const finish: (() => void)[] = [];
    const slow = admit(
      'key',
      () => new Promise<E.Either<never, string>>((resolve) => finish.push(() => resolve(E.right('slow')))),
    );
    const first = slow();
    const second = slow();
    expect(outcome(await slow())).to.deep.equal([503, 'overloaded', 1]);
    finish[0]?.();
    expect(outcome(await first)).to.equal('slow');
    expect(outcome(await admit('key', TE.right('next'))())).to.equal('next');
    finish[1]?.();
    expect(outcome(await second)).to.equal('slow');
  });

  it('leaves some for the next key, however many one has', async () => {
    const admit = admitting({ perMinute: GENEROUS, mostUnderWay: 8 });
    const never = new Promise<E.Either<never, string>>(() => undefined);
    for (let n = 0; n < 20; n += 1) void admit('greedy', () => never)();
    expect(outcome(await admit('greedy', TE.right('more'))())).to.deep.equal([503, 'overloaded', 1]);
    expect(outcome(await admit('other', TE.right('next'))())).to.equal('next');
  });

  it('begins one in each turn of the loop, by turns of the keys, so that deliveries have theirs in between', async () => {
    const admit = admitting({ perMinute: GENEROUS, mostUnderWay: 100 });
    const turns = loopTurns();
    const begun: (readonly [string, number])[] = [];
    const question = (key: string) =>
      admit(key, () => {
        begun.push([key, turns.now()]);
        return Promise.resolve(E.right(null));
      })();
    await Promise.all([...Array.from({ length: 10 }, () => question('greedy')), question('other')]);
    turns.stop();
    expect(begun.findIndex(([key]) => key === 'other')).to.equal(2);
    expect(new Set(begun.map(([, turn]) => turn)).size).to.equal(begun.length);
  });

  it('takes one that failed for done', async () => {
    const admit = admitting({ perMinute: GENEROUS, mostUnderWay: 1 });
    const failing = admit('key', () => Promise.reject(new Error('broken')));
    for (let i = 0; i < 3; i += 1) {
      await failing().then(
        () => expect.fail('it fails'),
        (error: unknown) => expect(error).to.have.property('message', 'broken'),
      );
    }
    expect(outcome(await admit('key', TE.right('next'))())).to.equal('next');
  });
});
