import { rmSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { BOOKINGS } from '../support/bank-files/booking.ts';
import { statementOf } from '../support/bank-imports.ts';
import { at } from '../support/naive-json.ts';
import type { LedgerEnvironment } from '../support/ledger-process.ts';
import { processFixture } from './process-fixture.ts';

describe('ids of bank lines', () => {
  const ledger = processFixture();

  const printed = async (env: LedgerEnvironment, ...args: readonly string[]): Promise<unknown> => {
    const { status, out, err } = await ledger.command(args, env);
    expect({ status, err }, args.join(' ')).to.deep.equal({ status: 0, err: '' });
    return JSON.parse(out);
  };

  const idsOf = async (env: LedgerEnvironment, file: string): Promise<readonly unknown[]> => {
    const imported = await printed(env, 'statement', 'import', file, '--json');
    const id = String(at(imported, 'statementId'));
    const listed = at(await printed(env, 'statement', 'lines', id, '--json'), 'data');
    return Array.isArray(listed) ? listed.map((line: unknown) => at(line, 'lineId')) : expect.fail();
  };

  it('are the same after a restart, a rebuild, in a backup that was put back and in a store that was copied', async () => {
    const [first, all] = [ledger.inFolder('first.sta'), ledger.inFolder('all.sta')];
    writeFileSync(first, statementOf(BOOKINGS.slice(0, 3)));
    writeFileSync(all, statementOf());
    const here = ledger.env();
    await (await ledger.serveHere(here)).stop();
    const ids = await idsOf(here, first);

    const backup = ledger.inFolder('copy.db');
    await printed(here, 'backup', '--out', backup, '--json');
    const restored = ledger.env({ DATA_DIR: ledger.inFolder('restored') });
    await printed(restored, 'restore', backup, '--json');
    const copy = `sqlite:${ledger.inFolder('migrated', 'events.db')}`;
    const migrated = ledger.env({ DATA_DIR: ledger.inFolder('migrated'), EVENT_STORE_URL: copy });
    await printed(here, 'migrate', '--from', `sqlite:${ledger.inFolder('data', 'events.db')}`, '--to', copy, '--json');

    await (await ledger.serveHere(here)).stop();
    for (const suffix of ['', '-wal', '-shm'])
      rmSync(ledger.inFolder('data', `read-models.db${suffix}`), { force: true });
    for (const [env, where] of [
      [here, 'rebuilt'],
      [restored, 'restored'],
      [migrated, 'migrated'],
    ] as const) {
      expect(await idsOf(env, all), where).to.deep.include.members([...ids]);
      expect(await printed(env, 'verify', '--json'), where).to.deep.include({ failures: [] });
    }
  }).timeout(60_000);
});
