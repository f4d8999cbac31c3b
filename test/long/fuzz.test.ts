import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import * as t from 'io-ts';
import { exchange } from '../support/exchange.ts';
import { right } from '../support/right.ts';
import { startLedger } from '../support/running-ledger.ts';
import { fuzzHttp } from './fuzz/fuzz-http.ts';
import { knownPlaces } from './fuzz/known-places.ts';

const INPUTS = 400_000;
const REQUESTS = 10_000;
const AT_ONCE = 32;
/** What takes longer is a hang, or grows faster than its input. */
const HANGS_AFTER_MS = 1_000;
const HEAP_BYTES = 32 * 1_024 * 1_024;

const Figures = t.type({
  thrown: t.array(t.string),
  slowestMs: t.number,
  slowest: t.string,
  heapBytes: t.tuple([t.number, t.number]),
});

const MAIN = fileURLToPath(new URL('fuzz/main.ts', import.meta.url));

describe('what reads the bytes of others', () => {
  it('answers whatever it is given, at once, and keeps nothing of it', async () => {
    const seed = String(Math.floor(Math.random() * 1_000_000));
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', MAIN, String(INPUTS), seed], {
      maxBuffer: 64 * 1_024 * 1_024,
    });
    const figures = right(Figures.decode(JSON.parse(stdout)));
    expect(figures.thrown, `seed ${seed}`).to.deep.equal([]);
    expect(figures.slowestMs, `seed ${seed}: ${figures.slowest}`).to.be.below(HANGS_AFTER_MS);
    expect(figures.heapBytes[1] - figures.heapBytes[0]).to.be.below(HEAP_BYTES);
  });

  it('of HTTP takes no request for a fault of its own, and serves on', async () => {
    const ledger = await startLedger();
    const seed = Math.floor(Math.random() * 1_000_000);
    const places = await knownPlaces(ledger.url);
    const { faults, statuses } = await fuzzHttp(ledger.url, places, {
      inputs: REQUESTS,
      atOnce: AT_ONCE,
      seed,
      deepInThousand: 500,
    });
    expect(faults, `seed ${seed}`).to.deep.equal([]);
    // What is behind keys, forms and signatures was met.
    expect(Object.keys(statuses)).to.include.members(['200', '303', '400', '401', '404', '405', '415', '422', '431']);
    expect((await exchange(ledger.url, { path: '/readyz' })).status).to.equal(200);
    expect(ledger.unexpected).to.deep.equal([]);
    await ledger.close();
  });
});
