import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { accepted } from '../support/answers.ts';
import { deliver } from '../support/exchange.ts';
import { onRamp } from '../support/payloads.ts';
import { repositoryPath } from '../support/repository-file.ts';
import { ask, expectOneLine, processFixture } from './process-fixture.ts';

/** The least that a ledger starts with. */
const DATA_KIB = 3 * 1_024 ** 2;

/** Some eight threads that serve have begun behind them; each once set aside half a GiB for machine code alone. */
const OF_EACH_THREAD = [
  '/v1/orders',
  '/v1/orders?asOf=2023-03-02T00:00:00Z',
  '/v1/exports/orders?format=xlsx',
  '/v1/orders/taken',
];

describe('a ledger that may set aside little memory', () => {
  const ledger = processFixture();

  for (const [command, limit, line] of [
    ['serve', '-d 2400000', /only 2343 MiB of data.*ulimit -d/],
    ['serve', '-v 6000000', /only 5859 MiB of address space.*ulimit -v/],
    ['demo', '-d 2400000', /only 2343 MiB of data.*ulimit -d/],
  ] as const) {
    it(`says in one line that it is too little, instead of ending at the first question (${command}, ${limit})`, () => {
      const limited = ['-c', `ulimit ${limit} && exec "$0" "$@"`, process.execPath];
      const { status, stdout, stderr } = spawnSync(
        '/bin/sh',
        [...limited, repositoryPath('src/ramp-ledger.mjs'), command],
        {
          env: ledger.env({ PORT: '0' }),
          encoding: 'utf8',
          timeout: 20_000,
        },
      );
      expectOneLine({ status, signal: null, out: stdout, err: stderr }, 1, line);
    }).timeout(30_000);
  }

  it('answers what begins each of its threads with the least that it starts with', async () => {
    const { url } = await ledger.serve(ledger.env(), { dataKiB: DATA_KIB });
    accepted(await deliver(url, onRamp({ orderId: 'taken' })));
    // The thread of orders starts beside the first that is asked for, and answers the next.
    for (const path of [...OF_EACH_THREAD, ...OF_EACH_THREAD]) {
      expect((await ask(url, path)).status, path).to.equal(200);
    }
  }).timeout(60_000);
});
