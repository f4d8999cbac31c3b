import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { paced } from '../../../src/http/connections/paced-bodies.ts';
import { SmallChunks } from '../../../src/http/connections/small-chunks.ts';
import { until } from '../../support/until.ts';

/** A request that counts how often its connection is read on for it. */
class Counted extends IncomingMessage {
  reads = 0;
  override _read(): void {
    this.reads += 1;
  }
}

describe('a body that was held', () => {
  it('has its connection read on, but not where it is whole or refused: another request may have the connection by then', async () => {
    const clock = { ms: 0 };
    const small = new SmallChunks(() => clock.ms);
    const pace = paced(small);
    while (small.owedMs() === 0) small.take(1_000, 0);
    const hold = (complete: boolean, isRefused: boolean) => {
      const request = Object.assign(new Counted(new Socket()), { complete });
      const body = { request, chunks: 1_000, bytes: 0, isRefused, isHeld: false };
      pace(body);
      expect(body.isHeld).to.equal(true);
      return body;
    };
    const bodies = [hold(true, false), hold(false, true), hold(false, false)];
    clock.ms += 60_000;
    await until(5_000, 'all to be let go', () => Promise.resolve(bodies.some(({ isHeld }) => isHeld) ? null : true));
    expect(bodies.map(({ request }) => request.reads)).to.deep.equal([0, 0, 1]);
  });
});
