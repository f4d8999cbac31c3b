import { readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { accepted } from '../support/answers.ts';
import { deliver } from '../support/exchange.ts';
import { at } from '../support/naive-json.ts';
import { onRamp } from '../support/payloads.ts';
import { until } from '../support/until.ts';
import { ask, expectOneLine, processFixture } from './process-fixture.ts';

const SIGNED = /events\.db is empty, 0 bytes, and 2 events of it were signed; restore a backup: ramp-ledger restore/;

describe('an event store that is a file without a byte', () => {
  const ledger = processFixture();
  const file = (): string => ledger.inFolder('data', 'events.db');

  /** A ledger that had so many events, all of them signed and in the read models, and is stopped. */
  const aLedger = async (events: number): Promise<void> => {
    const { url, stop } = await ledger.serveHere(ledger.env());
    for (let i = 0; i < events; i += 1) accepted(await deliver(url, onRamp({ orderId: `order-${i}` })));
    await until(10_000, 'all to be signed', async () => {
      const { text } = await ask(url, '/v1/log/checkpoint');
      return text.split('\n')[1] === String(events) ? true : null;
    });
    await stop();
    if (events > 0) {
      const backup = ledger.inFolder('backup.db');
      expect(await ledger.command(['backup', '--out', backup], ledger.env())).to.include({ status: 0 });
    }
    truncateSync(file());
  };
  const refusedWith = async (line: RegExp, ...commands: (readonly string[])[]): Promise<void> => {
    for (const command of commands) {
      expectOneLine(await ledger.command([...command], ledger.env({ PORT: '0' })), 1, line);
      expect(statSync(file()).size, command.join(' ')).to.equal(0);
    }
  };
  const doctorSays = async (): Promise<unknown> => {
    const checks: unknown = at(JSON.parse((await ledger.command(['doctor', '--json'], ledger.env())).out), 'checks');
    return Array.isArray(checks) ? checks.find((check: unknown) => at(check, 'name') === 'event store') : null;
  };
  const goesOn = async (): Promise<void> => {
    const { url, stop } = await ledger.serveHere(ledger.env());
    accepted(await deliver(url, onRamp({ orderId: 'another' })));
    await stop();
  };

  it('and had events is begun anew by no start and no command: how many were signed is said, and that a backup helps', async () => {
    await aLedger(2);
    const deliveries = ledger.inFolder('past.ndjson');
    writeFileSync(deliveries, '');
    await refusedWith(
      SIGNED,
      ['serve'],
      ['verify'],
      ['orders'],
      ['import', deliveries],
      ['backup', '--out', ledger.inFolder('copy.db')],
    );
    const said = await doctorSays();
    expect(at(said, 'ok')).to.equal(false);
    expect(at(said, 'detail')).to.match(/0 bytes, and 2 events of it were signed/);
    expect(at(said, 'cure')).to.match(/^restore a backup: /);
    const restore = ['restore', ledger.inFolder('backup.db'), '--set-aside'];
    expect(await ledger.command(restore, ledger.env())).to.include({ status: 0 });
    await goesOn();
  }).timeout(60_000);

  it('is known to have had events by what is left beside it: by its keys, and by read models', async () => {
    await aLedger(2);
    const checkpoints = readdirSync(ledger.inFolder('data')).filter((name) => name.startsWith('checkpoints-'));
    for (const name of checkpoints) rmSync(ledger.inFolder('data', name));
    await refusedWith(/0 bytes, and checkpoints of it were signed, which are gone too; restore/, ['serve'], ['verify']);
    rmSync(ledger.inFolder('data', 'log-keys'));
    await refusedWith(/0 bytes, and read models include its events up to position 2; restore/, ['serve'], ['verify']);
    rmSync(file());
    await goesOn();
  }).timeout(60_000);

  it('and never had an event is begun, as where the first start was killed', async () => {
    await aLedger(0);
    expect(at(await doctorSays(), 'ok')).to.equal(true);
    expect(await ledger.command(['verify'], ledger.env())).to.include({ status: 0 });
    await goesOn();
    rmSync(ledger.inFolder('data'), { recursive: true });
    const first = await ledger.serveHere(ledger.env());
    await first.stop();
    for (const name of readdirSync(ledger.inFolder('data')))
      if (!/^(?:events\.db|webhook-secret|api-key|origin|signing-key)$/.test(name))
        rmSync(ledger.inFolder('data', name), { recursive: true });
    truncateSync(file());
    await goesOn();
  }).timeout(60_000);
});
