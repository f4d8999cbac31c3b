// node --expose-gc test/long/fuzz/http-main.ts [SECONDS] [SEED]: fuzzes what reads HTTP, over connections to a ledger in this
// process, and says what came of it.
import { startLedger } from '../../support/running-ledger.ts';
import { fuzzHttp } from './fuzz-http.ts';

const [seconds = '60', seed = '1'] = process.argv.slice(2);
/** Inputs between two looks at the clock. */
const AT_A_TIME = 20_000;
const CONNECTIONS = 32;
/** Fewer than are cut off for being sent without waiting. */
const TOGETHER = 8;

const heapNow = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};

const ledger = await startLedger();
const until = performance.now() + Number(seconds) * 1_000;
const faults: string[] = [];
let inputs = 0;
let early = 0;
while (performance.now() < until) {
  faults.push(...(await fuzzHttp(ledger.url, AT_A_TIME, CONNECTIONS, Number(seed) + inputs, TOGETHER)));
  inputs += AT_A_TIME;
  if (early === 0) early = heapNow();
}
const figures = { inputs, faults, unexpected: ledger.unexpected, heapBytes: [early, heapNow()] };
await ledger.close();
process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
process.exitCode = faults.length + ledger.unexpected.length === 0 ? 0 : 1;
