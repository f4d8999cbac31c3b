import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { upstream, type Upstream } from '../../src/tokens/upstream.ts';
import { runs } from '../support/runs.ts';
import { virtualTime, type VirtualTime } from '../support/virtual-time.ts';
import { modelProvider, WELL, type Behaviour, type ModelProvider } from './model-provider.ts';

const CALL_MS = 10_000;
const LOGIN_JSON = '{"password":"login-secret"}';

const behaviour: fc.Arbitrary<Behaviour> = fc.record({
  latencyMs: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 14_000 })),
  does: fc.oneof(
    { weight: 4, arbitrary: fc.constant('serve' as const) },
    { weight: 4, arbitrary: fc.constantFrom('refuse', 'fail', 'pause', 'drop', 'babble', 'deaf') },
  ),
  lifetime: fc.oneof(fc.constant(900), fc.constant(null), fc.integer({ min: -20, max: 60 })),
});

/** Moments over an hour, many of them close together. */
const moment = fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 3_600_000 }));

const scenario = fc.record({
  behaviours: fc.array(behaviour, { maxLength: 60 }),
  callers: fc.array(fc.record({ at: moment, method: fc.constantFrom('GET', 'POST', 'token') }), {
    minLength: 1,
    maxLength: 30,
  }),
  jumps: fc.array(fc.record({ at: moment, by: fc.integer({ min: -2_000_000, max: 2_000_000 }) }), { maxLength: 5 }),
  jitter: fc.double({ min: 0, max: 0.999, noNaN: true }),
});

const open = (time: VirtualTime, provider: ModelProvider): Upstream =>
  upstream({
    account: { baseUrl: 'https://api.example.com', loginJson: LOGIN_JSON },
    expected: { issuer: null, audience: null },
    proveSignature: null,
    exchange: provider.exchange,
    timing: time.timing,
  });

const ask = async (client: Upstream, method: 'GET' | 'POST' | 'token'): Promise<string> => {
  const asked = method === 'token' ? client.token : client.call({ method, path: '/v1/users/me', data: null });
  const outcome: E.Either<unknown, unknown> = await asked();
  return E.isRight(outcome) ? 'answered' : JSON.stringify(outcome.left);
};

describe('calls upstream, whatever happens', () => {
  it('log in or refresh one at a time, use no expired token, all end in time, and go on when all is well again', async () => {
    let [renewed, failed] = [0, 0];
    await fc.assert(
      fc.asyncProperty(scenario, async ({ behaviours, callers, jumps, jitter }) => {
        const time = virtualTime(() => jitter);
        let well = false;
        const provider = modelProvider(time, (n) => (well ? WELL : (behaviours[n] ?? WELL)));
        const client = open(time, provider);
        for (const { at, by } of jumps) time.at(at, () => time.jump(by));
        const all = callers.map(
          ({ at, method }) =>
            new Promise<number>((resolve) => {
              time.at(at, () => {
                void ask(client, method).then((outcome) => {
                  if (outcome !== 'answered') failed += 1;
                  expect(outcome).to.not.include('login-secret').and.not.include('eyJ');
                  resolve(time.timing.elapsed() - at);
                  return undefined;
                });
              });
            }),
        );
        for (const took of await time.run(Promise.all(all))) expect(took).to.be.at.most(CALL_MS);
        // The provider's clock goes with time itself; ours is set right.
        const settled = new Promise<void>((resolve) => time.at(7_200_000, resolve));
        await time.run(settled);
        time.jump(-jumps.reduce((sum, { by }) => sum + by, 0));
        well = true;
        expect(await time.run(ask(client, 'GET'))).to.equal('answered');
        expect(provider.violations).to.deep.equal([]);
        renewed += provider.seen.filter(({ what }) => what !== 'call').length;
        client.close();
      }),
      { numRuns: runs(500) },
    );
    expect([renewed > 400, failed > 400], 'the scenarios reach tokens and failures').to.deep.equal([true, true]);
  }).timeout(300_000);
});
