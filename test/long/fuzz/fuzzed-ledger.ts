// A ledger in a process of its own for whoever fuzzes it: tells where it is, and when asked how it is. It is started with
// --expose-gc, so that its heap can be looked at behind a collection.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startLedger } from '../../support/running-ledger.ts';

const MEBIBYTE = 1_048_576;
const NS_PER_MS = 1_000_000;

const histogram = monitorEventLoopDelay({ resolution: 5 });
const ledger = await startLedger({
  // Nobody is refused for asking often: what is behind that limit is to be met too.
  env: { API_MAX_REQUESTS_PER_MINUTE: '999999999' },
});
let told = 0;
histogram.enable();
process.on('message', () => {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  process.send?.({
    heapMiB: heapUsed / MEBIBYTE,
    rssMiB: rss / MEBIBYTE,
    heldMs: histogram.max / NS_PER_MS,
    // Each is told once.
    errors: ledger.unexpected.slice(told).map((line) => JSON.stringify(line).slice(0, 2_000)),
  });
  told = ledger.unexpected.length;
  histogram.reset();
});
process.on('disconnect', () => {
  void ledger.close().finally(() => process.exit(0));
});
process.send?.({ url: ledger.url });
