import { spawnSync } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { accepted } from '../support/answers.ts';
import { deliver } from '../support/exchange.ts';
import { onRamp } from '../support/payloads.ts';
import { repositoryPath } from '../support/repository-file.ts';
import { until } from '../support/until.ts';
import { expectOneLine, processFixture } from './process-fixture.ts';

const OPEN_FILES = 400;
/** More than the process can have. */
const IDLE = 600;

describe('a ledger that may have few files open', () => {
  const ledger = processFixture();
  const idle: Socket[] = [];
  afterEach(() => {
    for (const socket of idle.splice(0)) socket.destroy();
  });

  for (const command of ['serve', 'demo']) {
    it(`says in one line that it may have too few, instead of listening and answering nothing (${command})`, async () => {
      const limited = ['-c', 'ulimit -n 40 && exec "$0" "$@"', process.execPath, repositoryPath('src/ramp-ledger.mjs')];
      const { status, stdout, stderr } = spawnSync('/bin/sh', [...limited, command], {
        env: ledger.env(),
        encoding: 'utf8',
        timeout: 20_000,
      });
      expectOneLine({ status, signal: null, out: stdout, err: stderr }, 1, /only 40 files open.*ulimit -n/);
    }).timeout(30_000);
  }

  it('is not closed to deliveries by connections that say nothing, and says how many it takes', async () => {
    const { url, out } = await ledger.serve(ledger.env(), { openFiles: OPEN_FILES });
    const { hostname, port } = new URL(url);
    let [opened, closed] = [0, 0];
    for (let n = 0; n < IDLE; n += 1) {
      const socket = connect(Number(port), hostname, () => (opened += 1));
      socket.on('error', () => undefined).once('close', () => (closed += 1));
      idle.push(socket);
    }
    await until(10_000, 'all to be open', () => Promise.resolve(opened === IDLE ? true : null));
    for (let n = 0; n < 5; n += 1) accepted(await deliver(url, onRamp()));
    await until(10_000, 'the eldest to be closed', () => Promise.resolve(closed > IDLE - OPEN_FILES ? true : null));
    expect(closed, 'others stay open').to.be.lessThan(IDLE);
    expect(out()).to.match(/"level":40.*"most":144.*"openFiles":400.*few files may be open/);

    const { out: report, status } = await ledger.command(['doctor', '--json'], ledger.env());
    expect(status).to.equal(1);
    expect(report).to.match(/"connections","ok":false,"detail":"[^"]*only 400 files open[^"]*"/);
  });
});
