import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as t from 'io-ts';
import type { DoctorCheck } from '../../src/doctor/doctor-check.ts';
import { diagnose } from '../../src/composition/doctor/diagnose.ts';
import { systemClock } from '../../src/telemetry/system-clock.ts';
import { deliver } from '../support/exchange.ts';
import { fillLedger } from '../support/filled-ledger.ts';
import { someClaims, unsignedToken } from '../support/jwt.ts';
import type { Finished, LedgerEnvironment } from '../support/ledger-process.ts';
import { onRamp, SECRET } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { scriptedUpstream, type Reply } from '../support/scripted-upstream.ts';
import { until } from '../support/until.ts';
import { FULL_KEY, MASKED_KEY, processFixture } from './process-fixture.ts';

/** docs/spec/command-line.md, doctor. */
const Report = t.strict({
  checks: t.array(t.strict({ name: t.string, ok: t.boolean, detail: t.string, cure: t.union([t.string, t.null]) })),
});

const NAMES = [
  'configuration',
  'data directory',
  'ledger',
  'connections',
  'event store',
  'deliveries',
  'spool',
  'set aside',
  'read models',
  'checkpoints',
  'webhook secrets',
  'API keys',
  'clock',
  'disk',
  'upstream login',
];

/** A cure names something that one can run, set or read. */
const NAMED_CURE = /ramp-ledger [a-z]+|\b[A-Z]{4,}|docs\/[a-z]+\.md/;

const SECRETS = [SECRET, FULL_KEY, MASKED_KEY, 'hush-hush'];

describe('doctor', () => {
  const ledger = processFixture();
  const file = (name = 'events.db'): string => ledger.inFolder('data', name);

  const run = async (over: LedgerEnvironment = {}, args: readonly string[] = ['--json']): Promise<Finished> => {
    const ended = await ledger.command(['doctor', ...args], ledger.env(over));
    for (const secret of SECRETS) expect(ended.out + ended.err).to.not.include(secret);
    expect(ended.err).to.equal('');
    return ended;
  };

  const reported = ({ out }: Finished): t.TypeOf<typeof Report>['checks'] =>
    right(Report.decode(JSON.parse(out))).checks;

  /** These checks are wrong, all others are not. */
  const expectOnlyWrong = (checks: readonly DoctorCheck[], wrong: Readonly<Record<string, RegExp>>): void => {
    const bad = checks.filter(({ ok }) => !ok);
    expect(
      bad.map(({ name }) => name),
      JSON.stringify(bad),
    ).to.deep.equal(Object.keys(wrong));
    for (const { name, detail, cure } of bad) {
      expect(detail).to.match(wrong[name] ?? /^$/);
      expect(cure, name).to.match(NAMED_CURE);
    }
    for (const secret of SECRETS) expect(JSON.stringify(checks)).to.not.include(secret);
  };

  const expectWell = async (over: LedgerEnvironment = {}): Promise<ReadonlyMap<string, string>> => {
    const checks = await diagnose(ledger.env(over), systemClock());
    expectOnlyWrong(checks, {});
    expect(checks.map(({ name }) => name)).to.deep.equal(NAMES);
    expect(checks.every(({ cure }) => cure === null)).to.equal(true);
    return new Map(checks.map(({ name, detail }) => [name, detail]));
  };

  /** As the command does it, without a process of its own. */
  const expectWrong = async (wrong: Readonly<Record<string, RegExp>>, over: LedgerEnvironment = {}): Promise<void> =>
    expectOnlyWrong(await diagnose(ledger.env(over), systemClock()), wrong);

  /** A stopped ledger with orders and read models of them. */
  const aLedger = async (): Promise<void> => {
    mkdirSync(ledger.inFolder('data'), { mode: 0o700 });
    await fillLedger({ file: file(), dataDir: ledger.inFolder('data') }, 3);
    const { status, err } = await ledger.command(['replay'], ledger.env());
    expect({ status, err }).to.deep.equal({ status: 0, err: '' });
  };

  const generation = (): string => file('read-models.db.g1');

  it('finds a ledger that was never started well, and makes nothing', async () => {
    const found = await expectWell();
    expect(found.get('data directory')).to.match(/first start makes it/);
    expect(existsSync(ledger.inFolder('data'))).to.equal(false);
  });

  it('finds a ledger well that serves, and one that was stopped', async () => {
    const { url, signal, finished } = await ledger.serve(ledger.env());
    expect((await deliver(url, onRamp())).status).to.equal(200);
    // It counts in memory, and writes to a file later, if the disk has room.
    expect((await expectWell({ PORT: '0' })).get('deliveries')).to.match(/^1 accepted and 0 refused/);
    const port = new URL(url).port;
    await until(5_000, 'the read models to include it', async () => {
      const found = await expectWell({ PORT: port });
      return /include the whole log/.test(found.get('read models') ?? '') ? true : null;
    });
    const serving = await expectWell({ PORT: port });
    expect(serving.get('ledger')).to.match(/could take a delivery now/);
    expect(serving.get('webhook secrets')).to.match(/^primary: accepted, last used \d+ seconds? ago$/);
    expect(serving.get('API keys')).to.match(/^full: orders:read, .*\nmasked: /);
    // Wherever it listens: its socket is in the data directory.
    for (const other of ['0', '1']) {
      expect((await expectWell({ PORT: other })).get('ledger')).to.equal(serving.get('ledger'));
    }
    signal('SIGTERM');
    expect((await finished).status).to.equal(0);
    expect((await expectWell()).get('ledger')).to.match(/none serves/);
    const ended = await run();
    expect(ended.status).to.equal(0);
    expect(reported(ended).map(({ name, ok }) => [name, ok])).to.deep.equal(NAMES.map((name) => [name, true]));
    // What it looked at is as it was: the next start finds nothing in its way.
    await ledger.serveHere(ledger.env());
  });

  it('finds a ledger wrong that gives no answer', async () => {
    const { url, signal } = await ledger.serve(ledger.env());
    signal('SIGSTOP');
    try {
      await expectWrong({ ledger: /readyz gives no answer within 3 s/ }, { PORT: new URL(url).port });
      // Where nothing says at which address it answers, its socket does not either.
      await expectWrong({ ledger: /it gives no answer within 3 s/ }, { PORT: '0' });
    } finally {
      signal('SIGCONT');
    }
  });

  it('holds up no start, however often it looks', async () => {
    const state = { started: false };
    const starting = ledger.serve(ledger.env()).finally(() => {
      state.started = true;
    });
    await until(20_000, 'the start', async () => {
      await diagnose(ledger.env(), systemClock());
      return state.started ? true : null;
    });
    expect((await starting).url).to.match(/^http:/);
  });

  it('shows people a table, and a cure below what is wrong', async () => {
    const { status, out } = await run({ READ_MODEL_URL: 'postgres://ledger:hush-hush@127.0.0.1:1/ledger' }, []);
    expect(status).to.equal(1);
    expect(out).to.match(/^WRONG {2}configuration {2}READ_MODEL_URL: .*\n.*\n +→ READ_MODEL_URL: give sqlite:/);
    const { out: well } = await run({}, []);
    expect(well).to.match(/\nok {5}upstream login {3}not configured\n\nall is well\n$/);
    expect(well).to.not.include('\u001B');
    const { out: help } = await ledger.command(['doctor', '--help'], ledger.env());
    expect(help).to.match(/Examples:\n {2}ramp-ledger doctor /);
  });

  it('names a variable that is wrong', async () => {
    await expectWrong({ configuration: /^EVENT_STORE_URL: / }, { EVENT_STORE_URL: 'mysql://root:hush-hush@host/db' });
    await expectWrong({ configuration: /^PORT: "99999"/ }, { PORT: '99999' });
  });

  it('finds each thing in turn that is broken in the stores', async () => {
    await aLedger();
    await expectWell();
    const whole = readFileSync(file());

    // The event store: another program's, damaged in its head and further in, gone, in a folder that is not there.
    writeFileSync(file(), 'These are minutes of a meeting.\n'.repeat(1_000));
    await expectWrong({ 'event store': /is damaged/ });
    const overwritten = Buffer.from(whole);
    for (let at = 8_192; at < whole.length; at += 8_192) overwritten.fill(0x5a, at, at + 4_096);
    writeFileSync(file(), overwritten);
    await expectWrong({ 'event store': /is damaged|malformed/ });
    writeFileSync(file(), whole);
    renameSync(file(), file('events.away'));
    await expectWrong({ 'event store': /not there, though read models/ });
    renameSync(file('events.away'), file());
    const nowhere = { EVENT_STORE_URL: `sqlite:${ledger.inFolder('nowhere', 'events.db')}` };
    await expectWrong({ 'event store': /folder of .* is not there/ }, nowhere);

    // The read models: of another log, other zone, damaged; those of another version, or none, are built by the next start.
    const other = ledger.inFolder('other.db');
    await fillLedger({ file: other, dataDir: ledger.inFolder('other') }, 1);
    await expectWrong({ 'read models': /another log/ }, { EVENT_STORE_URL: `sqlite:${other}` });
    chmodSync(other, 0o602);
    const checks = await diagnose(ledger.env({ EVENT_STORE_URL: `sqlite:${other}` }), systemClock());
    expect(checks.find(({ name }) => name === 'data directory')?.detail).to.match(
      /other\.db can be written to by others/,
    );
    await expectWrong({ 'read models': /BUSINESS_TIME_ZONE says Asia/ }, { BUSINESS_TIME_ZONE: 'Asia/Kolkata' });
    const database = new Database(generation());
    database.exec("UPDATE generation SET projections = '0.0'");
    database.close();
    expect((await expectWell()).get('read models')).to.match(/version 0\.0 .* the next start/);
    const damaged = readFileSync(generation()).fill(0x5a, 4_096);
    writeFileSync(generation(), damaged);
    await expectWrong({ 'read models': /is damaged/ });
    for (const name of readdirSync(ledger.inFolder('data'))) {
      if (name.startsWith('read-models.db')) renameSync(file(name), ledger.inFolder(name));
    }
    expect((await expectWell()).get('read models')).to.match(/there are none: the next start/);
    writeFileSync(file('read-models.db'), 'These are minutes of a meeting.\n'.repeat(1_000));
    await expectWrong({ 'read models': /is damaged/ });
  }).timeout(60_000);

  it('finds wrong what lies around it', async () => {
    await aLedger();
    const database = new Database(file());
    const tomorrow = Date.now() + 86_400_000;
    database.exec('DROP TRIGGER events_are_never_changed');
    database.exec(`UPDATE events SET recorded_at = ${tomorrow} WHERE position = 1`);
    await expectWell();
    database.exec(`UPDATE events SET recorded_at = ${tomorrow} WHERE position = (SELECT max(position) FROM events)`);
    database.close();
    await expectWrong({ 'read models': /another log/, clock: /23 hours from now/ });
    writeFileSync(file('spool.db'), 'These are minutes of a meeting.\n'.repeat(1_000));
    await expectWrong({ spool: /spool\.db is damaged/, 'read models': /./, clock: /./ });
    writeFileSync(ledger.inFolder('a-file'), '');
    await expectWrong(
      { 'data directory': /is no folder/ },
      { DATA_DIR: ledger.inFolder('a-file'), EVENT_STORE_URL: 'sqlite:', READ_MODEL_URL: 'sqlite:' },
    );
  }).timeout(30_000);

  it('finds files wrong that others can read', async () => {
    await aLedger();
    const folder = ledger.inFolder('data');
    chmodSync(folder, 0o755);
    chmodSync(file(), 0o644);
    await expectWrong({ 'data directory': /others on this machine can read events\.db/ });
    chmodSync(folder, 0o700);
    await expectWell();
    expect(statSync(folder).mode & 0o777).to.equal(0o700);
    expect(existsSync(join(folder, 'ledger.sock'))).to.equal(false);
  });

  it('logs in to the provider, and tells why it may not', async () => {
    let login: Reply = { status: 401, body: '{"error": "hush-hush"}' };
    const provider = await scriptedUpstream(() => login);
    const env = { UPSTREAM_BASE_URL: provider.url, UPSTREAM_LOGIN_JSON: '{"password": "hush-hush"}' };
    const token = (seconds: number): Reply => ({
      body: JSON.stringify({ accessToken: unsignedToken(someClaims(Math.floor(Date.now() / 1_000) + seconds)) }),
    });
    try {
      await expectWrong({ 'upstream login': /login: 401 Unauthorized/ }, env);
      await expectWrong(
        { 'upstream login': /UPSTREAM_LOGIN_JSON: it is not set/ },
        { UPSTREAM_BASE_URL: provider.url },
      );
      login = token(0);
      expect((await expectWell(env)).get('upstream login')).to.match(/a token that is good for 1[45] minutes/);
      login = token(-600);
      await expectWrong({ clock: /10 minutes ahead of that of the provider/ }, env);
      login = 'silence';
      await expectWrong({ 'upstream login': /no token within 7 s/ }, env);
    } finally {
      await provider.close();
    }
  }).timeout(40_000);
});
