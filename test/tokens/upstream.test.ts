import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { Method, UpstreamAnswer } from '../../src/tokens/exchange.ts';
import { upstreamErrorLine, type UpstreamError } from '../../src/tokens/upstream-error.ts';
import { upstream, type TokenLeft, type Upstream } from '../../src/tokens/upstream.ts';
import { right } from '../support/right.ts';
import { START, virtualTime, type VirtualTime } from '../support/virtual-time.ts';
import { modelProvider, WELL, type Behaviour, type ModelProvider, type Seen } from './model-provider.ts';

type Scene = {
  readonly time: VirtualTime;
  readonly provider: ModelProvider;
  readonly client: Upstream;
  /** Starts a call; `run` of the time ends it. */
  readonly call: (method?: Method) => Promise<E.Either<UpstreamError, UpstreamAnswer>>;
  readonly token: () => Promise<TokenLeft>;
  readonly seen: () => string;
};

type Does = Partial<Behaviour> | undefined;

/** @param script what the provider does with a request of a kind, by how many of that kind there were before */
const scene = (script: Partial<Record<Seen['what'], readonly Does[]>> = {}, random = 0.5): Scene => {
  const time = virtualTime(() => random);
  const provider: ModelProvider = modelProvider(time, (number) => {
    const before = provider.seen.slice(0, number);
    const what = provider.asking();
    const how = script[what]?.[before.filter((one) => one.what === what).length];
    return { ...WELL, ...how };
  });
  const client = upstream({
    account: { baseUrl: 'https://api.example.com', loginJson: '{"password":"login-secret"}' },
    expected: { issuer: null, audience: null },
    proveSignature: null,
    exchange: provider.exchange,
    timing: time.timing,
  });
  return {
    time,
    provider,
    client,
    call: (method = 'GET') => client.call({ method, path: '/v1/users/me', data: null })(),
    token: async () => right(await time.run(client.token())),
    seen: () => provider.seen.map(({ what }) => what).join(' '),
  };
};

const later = ({ time }: Scene, ms: number): Promise<void> =>
  time.run(new Promise((resolve) => time.at(time.timing.elapsed() + ms, resolve)));

const statusOf = (outcome: E.Either<UpstreamError, UpstreamAnswer>): number => right(outcome).status;

const lineOf = (outcome: E.Either<UpstreamError, UpstreamAnswer>): string => {
  if (E.isRight(outcome)) return expect.fail(`answered ${outcome.right.status}`);
  const line = upstreamErrorLine(outcome.left);
  expect(line).to.not.match(/\n/).and.not.include('login-secret').and.not.include('eyJ');
  return `${outcome.left.code}: ${line}`;
};

const times = (count: number, does: Behaviour['does']): readonly Does[] =>
  Array.from({ length: count }, () => ({ does }));

describe('the token', () => {
  it('comes from one login, however many callers wait, and serves them all', async () => {
    const s = scene();
    const outcomes = await s.time.run(Promise.all(Array.from({ length: 20 }, () => s.call())));
    expect(outcomes.map(statusOf)).to.deep.equal(outcomes.map(() => 200));
    expect(s.seen()).to.equal(`login${' call'.repeat(20)}`);
  });

  it('is refreshed once it has less than thirty seconds left, and not before', async () => {
    const s = scene({ login: [{ lifetime: 900, latencyMs: 0 }] });
    await s.token();
    await later(s, 870_000);
    await s.token();
    expect(s.seen()).to.equal('login');
    await later(s, 1);
    expect((await s.token()).token.by).to.equal('refresh');
    expect(s.seen()).to.equal('login refresh');
  });

  it('is refreshed when it is long expired too', async () => {
    const s = scene();
    const { token } = await s.token();
    await later(s, 86_400_000);
    expect(statusOf(await s.time.run(s.call()))).to.equal(200);
    expect(s.seen()).to.equal('login refresh call');
    expect(s.provider.seen[1]?.token).to.equal(token.text.reveal());
  });

  it('serves its last seconds where the refresh ahead of them fails', async () => {
    const s = scene({ refresh: times(9, 'fail') });
    await s.token();
    await later(s, 880_000);
    expect(statusOf(await s.time.run(s.call()))).to.equal(200);
    expect(s.seen()).to.equal('login refresh call');
  });

  it('comes from a login where the refresh of an expired one fails', async () => {
    for (const does of ['fail', 'refuse', 'babble'] as const) {
      const s = scene({ refresh: [{ does }] });
      await s.token();
      await later(s, 900_000);
      expect((await s.token()).token.by).to.equal('login');
      expect(s.seen()).to.equal('login refresh login');
    }
  });

  it('is not refreshed again after the provider refused that', async () => {
    const s = scene({ refresh: [{ does: 'refuse' }], login: [WELL, { does: 'fail' }] });
    await s.token();
    await later(s, 900_000);
    expect(lineOf(await s.time.run(s.call()))).to.match(/refresh: 401 Unauthorized, login: 500 .*; try again later/);
    expect((await s.token()).token.by).to.equal('login');
    expect(s.seen()).to.equal('login refresh login login');
  });

  it('without exp is used for fifteen minutes, by the clock that says more', async () => {
    const s = scene({ login: [{ lifetime: null, latencyMs: 0 }], refresh: [{ lifetime: null, latencyMs: 0 }] });
    expect((await s.token()).msLeft).to.equal(900_000);
    await later(s, 600_000);
    s.time.jump(-3_600_000);
    expect((await s.token()).msLeft, 'the wall clock was set back').to.equal(300_000);
    await later(s, 270_001);
    await s.token();
    expect(s.seen()).to.equal('login refresh');
    s.time.jump(880_000);
    await s.token();
    expect(s.seen(), 'the machine slept').to.equal('login refresh refresh');
  });

  it('that a login answers with less than thirty seconds left is refreshed before it is used, once for all callers', async () => {
    const s = scene({ login: [{ lifetime: 10 }] });
    const outcomes = await s.time.run(Promise.all([s.call(), s.call(), s.call()]));
    expect(outcomes.map(statusOf)).to.deep.equal([200, 200, 200]);
    expect(s.seen()).to.equal('login refresh call call call');
  });

  it('that lasts for less than thirty seconds is used where nothing better is to be had, and replaced for the next call', async () => {
    const lasting = scene({ login: [{ lifetime: 10 }], refresh: [{ lifetime: 10 }, { lifetime: 10 }] });
    for (const _ of [1, 2]) expect(statusOf(await lasting.time.run(lasting.call()))).to.equal(200);
    expect(lasting.seen()).to.equal('login refresh call refresh call');

    const refused = scene({ login: [{ lifetime: 10 }], refresh: times(1, 'refuse') });
    expect(statusOf(await refused.time.run(refused.call()))).to.equal(200);
    expect(refused.seen()).to.equal('login refresh call');
  });

  it('that comes expired is refused, and the clock is named', async () => {
    const s = scene({ login: [{ lifetime: 900 }] });
    s.time.jump(910_000);
    expect(lineOf(await s.time.run(s.call()))).to.match(/^upstream-no-token: .*expired \(exp\).*clock/);
    expect(s.seen()).to.equal('login');
  });

  it('says how long it is good for', async () => {
    const s = scene({ login: [{ latencyMs: 1_000 }] });
    const { token, msLeft } = await s.token();
    expect(token.claims.exp).to.equal(START / 1_000 + 901);
    expect(msLeft).to.equal(900_000);
  });
});

describe('a call upstream', () => {
  it('goes on after 401 with refresh, call, login, call, and then says what happened', async () => {
    const s = scene({ call: times(3, 'refuse') });
    const outcome = await s.time.run(s.call());
    expect(s.seen()).to.equal('login call refresh call login call');
    expect(lineOf(outcome)).to.equal(
      'upstream-unauthorised: the provider rejects every token (login: done, call: 401 Unauthorized, refresh: done, ' +
        'call: 401 Unauthorized, login: done, call: 401 Unauthorized); check UPSTREAM_LOGIN_JSON',
    );
    expect(E.isLeft(outcome) && outcome.left._tag === 'Unauthorised' ? outcome.left.answer.status : null).to.equal(401);
  });

  it('ends with the first token that is taken', async () => {
    for (const [refused, seen] of [
      [1, 'login call refresh call'],
      [2, 'login call refresh call login call'],
    ] as const) {
      const s = scene({ call: times(refused, 'refuse') });
      expect(statusOf(await s.time.run(s.call('POST')))).to.equal(200);
      expect(s.seen()).to.equal(seen);
    }
  });

  it('logs in once where the refresh after a 401 fails', async () => {
    const s = scene({ call: times(3, 'refuse'), refresh: [{ does: 'refuse' }] });
    expect(lineOf(await s.time.run(s.call()))).to.match(/refresh: 401 Unauthorized, login: done, call: 401/);
    expect(s.seen()).to.equal('login call refresh login call');
  });

  it('shares the refresh with all whose token was rejected', async () => {
    const s = scene({ call: times(10, 'refuse') });
    await s.token();
    const outcomes = await s.time.run(Promise.all(Array.from({ length: 10 }, () => s.call())));
    expect(outcomes.map(statusOf)).to.deep.equal(outcomes.map(() => 200));
    expect(s.seen()).to.equal(`login${' call'.repeat(10)} refresh${' call'.repeat(10)}`);
  });

  it('takes the token that another rejected one was replaced by in the meantime', async () => {
    const s = scene({ call: [{ does: 'refuse' }, { does: 'refuse', latencyMs: 2_000 }] });
    await s.token();
    await s.time.run(Promise.all([s.call(), s.call()]));
    expect(s.seen()).to.equal('login call call refresh call call');
  });

  it('does not begin with a token that was rejected, even if the renewal failed', async () => {
    const s = scene({ call: [{ does: 'refuse' }], refresh: [{ does: 'fail' }], login: [WELL, { does: 'fail' }] });
    await s.token();
    expect(lineOf(await s.time.run(s.call()))).to.match(
      /^upstream-no-token: .*call: 401 .*, refresh: 500 .*, login: 500/,
    );
    expect(statusOf(await s.time.run(s.call()))).to.equal(200);
    expect(s.seen()).to.equal('login call refresh login refresh call');
  });

  it('is sent again where that is safe and the failure passes, ever later', async () => {
    for (const does of ['drop', 'pause'] as const) {
      for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) {
        const s = scene({ call: times(3, does) });
        expect(statusOf(await s.time.run(s.call(method)))).to.equal(200);
        const calls = s.provider.seen.slice(1).map(({ at }) => at);
        const pauses = calls.slice(1).map((at, i) => at - (calls[i] ?? 0) - WELL.latencyMs);
        const asked = does === 'pause' ? 1_000 : 0;
        expect(pauses).to.deep.equal([asked + 150, asked + 300, asked + 600]);
      }
    }
  });

  it('is given up after four times, with the last outcome', async () => {
    const dropped = scene({ call: times(9, 'drop') });
    expect(lineOf(await dropped.time.run(dropped.call()))).to.match(
      /^upstream-call-failed: the call got no answer \(login: done, call: no connection \(ECONNRESET\)\); check UPSTREAM_BASE_URL/,
    );
    expect(dropped.seen()).to.equal('login call call call call');
    const away = scene({ call: times(9, 'pause') });
    expect(statusOf(await away.time.run(away.call()))).to.equal(503);
  });

  it('is sent once where it may have changed something, or the failure does not pass', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      for (const does of ['drop', 'pause', 'fail'] as const) {
        const s = scene({ call: times(9, does) });
        await s.time.run(s.call(method));
        expect(s.seen(), `${method} ${does}`).to.equal('login call');
      }
    }
    const failing = scene({ call: times(9, 'fail') });
    expect(statusOf(await failing.time.run(failing.call()))).to.equal(500);
    expect(failing.seen()).to.equal('login call');
  });

  it('answers at once where the provider asks to wait beyond the deadline', async () => {
    const s = scene({ call: [{ does: 'pause', latencyMs: 8_900 }] });
    expect(statusOf(await s.time.run(s.call()))).to.equal(503);
    expect(s.time.timing.elapsed()).to.equal(8_920);
    expect(s.seen()).to.equal('login call');
  });

  it('goes on after a pause with the token that is current then', async () => {
    const s = scene({ login: [{ lifetime: 31 }], call: [{ does: 'pause' }, WELL] });
    expect(statusOf(await s.time.run(s.call()))).to.equal(200);
    expect(s.seen()).to.equal('login call refresh call');
    expect(s.provider.violations).to.deep.equal([]);
  });

  it('ends after ten seconds in all, wherever it is, and says where it was', async () => {
    const scenes: readonly (readonly [Parameters<typeof scene>[0], RegExp])[] = [
      [{ login: [{ does: 'deaf' }] }, /^upstream-no-token: .*\(login: no answer in time\); try again/],
      [{ call: [{ does: 'deaf' }] }, /^upstream-call-failed: .*call: no answer in time/],
      [
        { call: [{ does: 'refuse' }], refresh: [{ does: 'deaf' }] },
        /call: 401 Unauthorized, refresh: no answer in time/,
      ],
      [{ login: [{ latencyMs: 6_000 }], call: [{ latencyMs: 6_000 }] }, /login: done, call: no answer in time/],
    ];
    for (const [script, says] of scenes) {
      const s = scene(script);
      expect(lineOf(await s.time.run(s.call()))).to.match(says);
      expect(s.time.timing.elapsed()).to.equal(10_000);
    }
  });

  it('sends nothing for a path that leads elsewhere', async () => {
    const s = scene();
    const refused = await s.time.run(s.client.call({ method: 'GET', path: '//evil.example/', data: null })());
    expect(lineOf(refused)).to.match(/^upstream-path-refused: /);
    expect(s.seen()).to.equal('');
  });

  it('is broken off when the provider is closed', async () => {
    const s = scene({ login: [{ does: 'deaf' }] });
    const outcome = s.call();
    s.time.at(100, s.client.close);
    expect(lineOf(await s.time.run(outcome))).to.match(/login: no answer in time/);
    expect([s.time.timing.elapsed(), s.time.waiting()]).to.deep.equal([100, 0]);
  });
});
