// node --expose-gc test/long/fuzz/http-main.ts [INPUTS] [SEED] [DEEP]: fuzzes a ledger in a process of its own with so many HTTP
// requests; DEEP of a thousand connections come with keys, and ask for what costs something. It ends with a table of what came
// of it, and with exit status 1 where anything is wrong, which is told as soon as it is seen, with the bytes that were sent.
import { fuzzedLedger } from './fuzzed-ledger-process.ts';
import { fuzzHttp, noFigures } from './fuzz-http.ts';
import { knownPlaces } from './known-places.ts';

const [wanted = '200000', seed = '1', deep = '100'] = process.argv.slice(2);
/** Inputs between two looks at the ledger. */
const AT_A_TIME = 20_000;
const CONNECTIONS = 64;
/** The ledger's caches are full by then. */
const SETTLED_AFTER = 0.2;
/** What a heap may grow by from then on. */
const MOST_GROWTH_MIB = 48;
/** Nothing that one request brings keeps the receiving thread for so long, on a machine with other work. */
const HANGS_AFTER_MS = 3_000;

const ledger = await fuzzedLedger();
const since = performance.now();
const figures = noFigures();
const faults: string[] = [];
const fault = (text: string): void => {
  faults.push(text);
  process.stdout.write(`${text}\n`);
};
let inputs = 0;
let settled: { readonly heapMiB: number; readonly rssMiB: number } | null = null;
let latest = { heapMiB: 0, rssMiB: 0 };
let heldMs = 0;
while (inputs < Number(wanted)) {
  const some = Math.min(AT_A_TIME, Number(wanted) - inputs);
  // Who was signed out meanwhile signs in again.
  const places = await knownPlaces(ledger.url);
  await fuzzHttp(
    ledger.url,
    places,
    { inputs: some, atOnce: CONNECTIONS, seed: Number(seed) + inputs, deepInThousand: Number(deep) },
    figures,
  );
  figures.faults.splice(0).forEach(fault);
  inputs += some;
  const { errors, ...seen } = await ledger.look();
  errors.forEach((line) => fault(`logged as an error: ${line}`));
  latest = seen;
  if (seen.heldMs > HANGS_AFTER_MS) fault(`held the receiving thread for ${seen.heldMs.toFixed(0)} ms`);
  heldMs = Math.max(heldMs, seen.heldMs);
  if (inputs <= Number(wanted) * SETTLED_AFTER || settled === null) settled = seen;
  const { heapMiB, rssMiB } = seen;
  const state = `heap ${heapMiB.toFixed(0)} MiB, all ${rssMiB.toFixed(0)} MiB, held ${seen.heldMs.toFixed(0)} ms`;
  process.stderr.write(`${inputs} of ${wanted}: ${state}, faults ${faults.length}\n`);
}
if (settled !== null && latest.heapMiB > settled.heapMiB + MOST_GROWTH_MIB) {
  fault(`the heap grew from ${settled.heapMiB.toFixed(0)} to ${latest.heapMiB.toFixed(0)} MiB`);
}
const seconds = (performance.now() - since) / 1_000;
const rows: readonly (readonly [string, string])[] = [
  ['requests', String(inputs)],
  ['seed', seed],
  ['seconds', seconds.toFixed(0)],
  ['requests a second', (inputs / seconds).toFixed(0)],
  ...Object.entries(figures.statuses).map(([status, count]) => [`answered ${status}`, String(count)] as const),
  ['connections not all answered', String(figures.unanswered)],
  ['longest hold of the thread, ms', heldMs.toFixed(0)],
  ['heap once settled, MiB', (settled?.heapMiB ?? 0).toFixed(1)],
  ['heap at the end, MiB', latest.heapMiB.toFixed(1)],
  ['all memory once settled, MiB', (settled?.rssMiB ?? 0).toFixed(0)],
  ['all memory at the end, MiB', latest.rssMiB.toFixed(0)],
  ['faults', String(faults.length)],
];
ledger.end();
process.stdout.write(rows.map(([name, value]) => `${name.padEnd(32)}${value.padStart(12)}\n`).join(''));
process.exitCode = faults.length === 0 ? 0 : 1;
