import { expect } from 'chai';
import * as fc from 'fast-check';
import { runs } from '../../support/runs.ts';
import { steps } from './interleaved-steps.ts';
import { Interleaving } from './interleaving.ts';

describe('a spool whose file is another thread’s', () => {
  it('has all that it promised once, in order, and counts it, whatever fails, hangs, dies or comes in between', async () => {
    let [failed, settled, counting] = [0, 0, 0];
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const interleaving = new Interleaving();
        await interleaving.open();
        try {
          for (const step of all) await interleaving.run(step);
          await interleaving.calm();
          const [failures, turnsOver] = await interleaving.check();
          failed += failures;
          settled += turnsOver;
          counting += interleaving.startsCounting;
        } finally {
          await interleaving.end();
        }
      }),
      { numRuns: runs(60) },
    );
    // Where nothing fails, no turn is over, or no start has much to count, nothing is said.
    expect(failed).to.be.at.least(runs(60));
    expect(settled).to.be.at.least(runs(60));
    expect(counting).to.be.at.least(runs(60) / 3);
  }).timeout(300_000);
});
