import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { sha256 } from '../../src/domain/sha256.ts';
import { takeLock } from '../../src/event-store/sqlite/exclusive-lock.ts';
import { BOOKINGS } from '../support/bank-files/booking.ts';
import { statementOf } from '../support/bank-imports.ts';
import { exchange } from '../support/exchange.ts';
import { at } from '../support/naive-json.ts';
import type { LedgerEnvironment } from '../support/ledger-process.ts';
import { right } from '../support/right.ts';
import { ask, FULL_KEY, processFixture } from './process-fixture.ts';

describe('ids of bank lines', () => {
  const ledger = processFixture();

  const printed = async (env: LedgerEnvironment, ...args: readonly string[]): Promise<unknown> => {
    const { status, out, err } = await ledger.command(args, env);
    expect({ status, err }, args.join(' ')).to.deep.equal({ status: 0, err: '' });
    return JSON.parse(out);
  };

  const idsIn = (listed: unknown): unknown[] => {
    const data = at(listed, 'data');
    return Array.isArray(data) ? data.map((line: unknown) => at(line, 'lineId')) : expect.fail();
  };

  const idsOf = async (env: LedgerEnvironment, file: string): Promise<readonly unknown[]> => {
    const imported = await printed(env, 'statement', 'import', file, '--json');
    const id = String(at(imported, 'statementId'));
    return idsIn(await printed(env, 'statement', 'lines', id, '--json'));
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

  it('are decided by a ledger and a command beside it one after the other', async () => {
    const all = ledger.inFolder('all.sta');
    writeFileSync(all, statementOf());
    const env = ledger.env({ API_KEYS: `finance:statements:write+reports:read=${FULL_KEY}` });
    const { url } = await ledger.serveHere(env);
    const importing = right(takeLock(ledger.inFolder('data', 'imports.lock'), 'it', 1_000));
    const ended: string[] = [];
    const noted = async <A>(who: string, doing: Promise<A>): Promise<A> => {
      const done = await doing;
      ended.push(who);
      return done;
    };
    const headers = { authorization: `Bearer ${FULL_KEY}` };
    const first = statementOf(BOOKINGS.slice(0, 3));
    const sent = noted('ledger', exchange(url, { method: 'POST', path: '/v1/statements', headers, body: first }));
    const command = noted('command', idsOf(env, all));
    await wait(1_500);
    expect(ended).to.deep.equal([]);
    importing.release();
    expect((await sent).status).to.equal(200);
    // The command's read models are as they are at its turn: they have what the ledger imported while it waited.
    const listed = await ask(url, `/v1/statements/${sha256(first)}/lines`, FULL_KEY);
    expect(await command).to.deep.include.members(idsIn(JSON.parse(listed.text)));
  }).timeout(30_000);
});
