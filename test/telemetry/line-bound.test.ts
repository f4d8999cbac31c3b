import { mock } from 'node:test';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { LineBound, type LeftOut } from '../../src/telemetry/line-bound.ts';

const ABOUT = { route: 'none', status: 404 };

describe('a bound on lines', () => {
  const said: (readonly LeftOut[])[] = [];
  let atMs = 0;
  const bound = (burst: number, perSecond: number): LineBound =>
    new LineBound({ burst, perSecond, tell: (leftOut) => said.push(leftOut), nowMs: () => atMs });

  beforeEach(() => {
    said.length = 0;
    atMs = 0;
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  afterEach(() => mock.timers.reset());

  it('lets so many through at once, and then as many as come in time', () => {
    const lines = bound(3, 2);
    const admitted = (times: number): number =>
      Array.from({ length: times }, () => lines.admits(ABOUT)).filter(Boolean).length;
    expect(admitted(10)).to.equal(3);
    atMs = 499;
    expect(admitted(10)).to.equal(0);
    atMs = 1_000;
    expect(admitted(10)).to.equal(2);
    atMs = 3_600_000;
    expect(admitted(10)).to.equal(3);
  });

  it('tells a second later what it left out, by kind, once, and nothing where there is nothing', () => {
    const lines = bound(1, 1);
    lines.admits(ABOUT);
    mock.timers.tick(5_000);
    expect(said).to.deep.equal([]);
    for (const outcome of ['signature-mismatch', 'signature-mismatch', 'signature-missing']) {
      lines.admits({ route: '/v1/webhooks', status: 401, outcome });
    }
    lines.admits(ABOUT);
    mock.timers.tick(999);
    expect(said).to.deep.equal([]);
    mock.timers.tick(1);
    const of = (outcome: string, count: number) => ({ route: '/v1/webhooks', status: 401, outcome, lines: count });
    expect(said).to.deep.equal([[of('signature-mismatch', 2), of('signature-missing', 1), { ...ABOUT, lines: 1 }]]);
    mock.timers.tick(5_000);
    lines.tellNow();
    expect(said).to.have.length(1);
    lines.admits(ABOUT);
    lines.tellNow();
    mock.timers.tick(5_000);
    expect(said.slice(1)).to.deep.equal([[{ ...ABOUT, lines: 1 }]]);
  });

  it('loses count of no line, and never lets more through than it says, however they come', () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 300 });
    fc.assert(
      fc.property(
        pauses,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 50 }),
        (pausesMs, burst, perSecond) => {
          said.length = 0;
          atMs = 0;
          const lines = bound(burst, perSecond);
          let admitted = 0;
          for (const pauseMs of pausesMs) {
            atMs += pauseMs;
            if (lines.admits(ABOUT)) admitted += 1;
          }
          lines.tellNow();
          const leftOut = said.flat().reduce((sum, kind) => sum + kind.lines, 0);
          expect(admitted + leftOut).to.equal(pausesMs.length);
          expect(admitted).to.be.at.most(burst + (atMs * perSecond) / 1_000 + 1e-6);
        },
      ),
    );
  });
});
