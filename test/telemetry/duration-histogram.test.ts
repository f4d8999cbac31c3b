import { expect } from 'chai';
import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { DURATION_BUCKETS } from '../../src/telemetry/duration-buckets.ts';
import { DurationHistogram } from '../../src/telemetry/duration-histogram.ts';

const durations = fc.array(
  fc.oneof(fc.constantFrom(0, ...DURATION_BUCKETS), fc.double({ min: 0, max: 100, noNaN: true })),
  { maxLength: 50 },
);

describe('a histogram of durations', () => {
  it('has the page that prom-client makes of the same durations', async () => {
    const samePage = async (some: readonly number[], others: readonly number[], route: string): Promise<void> => {
      const registry = new Registry();
      const [name, help] = ['a_duration_seconds', 'How long it took.'];
      const theirs = new Histogram({
        name,
        help,
        labelNames: ['route', 'result'],
        buckets: DURATION_BUCKETS,
        registers: [registry],
      });
      const ourRegistry = new Registry();
      const ours = new DurationHistogram(ourRegistry, name, help);
      for (const [result, seconds] of [
        ['accepted', some],
        ['rejected', others],
      ] as const) {
        const labels = { route, result };
        theirs.zero(labels);
        const series = ours.begin(labels);
        for (const each of seconds) {
          theirs.observe(labels, each);
          series.observe(each);
        }
      }
      expect(await ourRegistry.metrics()).to.equal(await registry.metrics());
    };
    const routes = fc.oneof(fc.constant('/v1/orders/{orderId}'), fc.string());
    await fc.assert(fc.asyncProperty(durations, durations, routes, samePage));
  });

  it('has no labels where there are none', async () => {
    const registry = new Registry();
    const theirs = new Histogram({ name: 'a_seconds', help: 'A.', buckets: DURATION_BUCKETS, registers: [registry] });
    const ourRegistry = new Registry();
    const ours = new DurationHistogram(ourRegistry, 'a_seconds', 'A.');
    theirs.observe(3);
    ours.begin().observe(3);
    expect(await ourRegistry.metrics()).to.equal(await registry.metrics());
  });
});
