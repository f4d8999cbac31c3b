import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { bodyOf, onRamp } from '../support/payloads.ts';
import { deliveryOf, SpoolingScene } from '../support/spooling-scene.ts';

const DELIVERIES = 12;
/** Longer than what is begun in one turn takes to come to the store. */
const TURNS = 20;

describe('spooling: large deliveries that wait', () => {
  let scene: SpoolingScene;
  beforeEach(async () => {
    scene = new SpoolingScene();
    await scene.start();
  });
  afterEach(() => scene.end());

  for (const [bytes, most] of [
    [200_000, 1],
    [60_000, 4],
  ] as const)
    it(`are given to the store ${most} at a time where they have ${bytes} bytes, however many orders they are of`, async () => {
      const large = Array.from({ length: DELIVERIES }, (_, n) =>
        deliveryOf(bodyOf(onRamp({ orderId: `order-${n}`, metaData: { text: 'x'.repeat(bytes) } }))),
      );
      await scene.spooled(large);
      let [now, atMost] = [0, 0];
      scene.takes = async () => {
        now += 1;
        atMost = Math.max(atMost, now);
        for (let i = 0; i < TURNS; i += 1) await turn();
        now -= 1;
      };
      scene.failureOf = () => null;
      await scene.goesOnUntil('the spool to be empty', () => scene.spool.state().depth === 0);
      expect(scene.store.recorded()).to.have.length(DELIVERIES);
      expect(atMost).to.equal(most);
    });
});
