// A ledger in a process of its own that measures how long its receiving thread was held, for who started it.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startLedger } from '../../src/composition/ledger/start-ledger.ts';

const NS_PER_MS = 1_000_000;

const histogram = monitorEventLoopDelay({ resolution: 1 });
const started = await startLedger(process.env);
if (started._tag === 'Left') throw new Error(started.left.line);
histogram.enable();
process.on('message', (question: unknown) => {
  if (question === 'begin') {
    histogram.reset();
    process.send?.({ begun: true });
  }
  // The loop that was held tells of it with its next turn.
  else setTimeout(() => process.send?.({ longestMs: histogram.max / NS_PER_MS }), 5);
});
process.on('disconnect', () => process.exit(0));
process.send?.({ url: started.right.url });
