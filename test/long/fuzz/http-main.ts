// node --expose-gc test/long/fuzz/http-main.ts [INPUTS] [SEED]: fuzzes what reads HTTP with so many inputs, over connections to a
// ledger in this process, and ends with a table of what came of it; exit status 1 where anything is wrong.
import { startLedger } from '../../support/running-ledger.ts';
import { fuzzHttp } from './fuzz-http.ts';

const [wanted = '200000', seed = '1'] = process.argv.slice(2);
/** Inputs between two lines about how far it is. */
const AT_A_TIME = 20_000;
const CONNECTIONS = 32;
/** Fewer than are cut off for being sent without waiting. */
const TOGETHER = 8;
const MEBIBYTE = 1_048_576;

const heapNow = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / MEBIBYTE;
};

const ledger = await startLedger();
const since = performance.now();
const faults: string[] = [];
let inputs = 0;
let early = 0;
while (inputs < Number(wanted)) {
  const some = Math.min(AT_A_TIME, Number(wanted) - inputs);
  faults.push(...(await fuzzHttp(ledger.url, some, CONNECTIONS, Number(seed) + inputs, TOGETHER)));
  inputs += some;
  if (early === 0) early = heapNow();
  process.stderr.write(`${inputs} of ${wanted}\n`);
}
const seconds = (performance.now() - since) / 1_000;
const rows: readonly (readonly [string, string])[] = [
  ['inputs', String(inputs)],
  ['seed', seed],
  ['seconds', seconds.toFixed(0)],
  ['inputs a second', (inputs / seconds).toFixed(0)],
  ['heap after the first, MiB', early.toFixed(1)],
  ['heap at the end, MiB', heapNow().toFixed(1)],
  ['faults', String(faults.length)],
  ['logged as errors', String(ledger.unexpected.length)],
];
await ledger.close();
process.stdout.write(rows.map(([name, value]) => `${name.padEnd(28)}${value.padStart(12)}\n`).join(''));
for (const fault of [...faults, ...ledger.unexpected.map((line) => JSON.stringify(line))]) {
  process.stdout.write(`${fault}\n`);
}
process.exitCode = faults.length + ledger.unexpected.length === 0 ? 0 : 1;
