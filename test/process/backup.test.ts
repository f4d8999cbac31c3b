import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as t from 'io-ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { statementOf } from '../support/bank-imports.ts';
import { deliver } from '../support/exchange.ts';
import { hangingDisk } from '../support/hanging-disk.ts';
import { bodyOf, newOrderId, offRamp, onRamp } from '../support/payloads.ts';
import { repositoryPath } from '../support/repository-file.ts';
import { until } from '../support/until.ts';
import { right } from '../support/right.ts';
import { within } from '../support/within.ts';
import { ask, expectOneLine, processFixture } from './process-fixture.ts';

const Verified = t.type({ events: t.number, failures: t.array(t.type({ problem: t.string })) });

describe('backup and restore', () => {
  const ledger = processFixture();
  const file = (): string => ledger.inFolder('data', 'events.db');

  const deliverSome = async (url: string, count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) {
      const payload = at % 2 === 0 ? onRamp({ orderId: newOrderId() }) : offRamp({ orderId: newOrderId() });
      expect((await deliver(url, bodyOf(payload))).status).to.equal(200);
    }
  };
  const command = (...args: readonly string[]) => ledger.command(args, ledger.env());
  const orders = async (url: string): Promise<string> => (await ask(url, '/v1/orders?limit=500')).text;
  const events = async (): Promise<unknown> => JSON.parse((await command('verify', '--json')).out);

  it('put it back behind a link, where the log and lock of the store are, and set the store itself aside', async () => {
    const volume = ledger.inFolder('volume');
    mkdirSync(volume, { mode: 0o700 });
    mkdirSync(ledger.inFolder('data'), { mode: 0o700 });
    symlinkSync(`${volume}/events.db`, file());
    const first = await ledger.serveHere(ledger.env());
    await deliverSome(first.url, 2);
    expect((await command('backup', '--out', ledger.inFolder('copy.db'))).status).to.equal(0);
    await deliverSome(first.url, 1);
    await first.stop();
    expect(await command('restore', ledger.inFolder('copy.db'), '--set-aside', '--json')).to.include({ status: 0 });
    expect(lstatSync(file()).isSymbolicLink()).to.equal(true);
    const aside = readdirSync(volume).filter((name) => name.includes('set-aside'));
    expect(aside).to.have.length(1);
    expect(lstatSync(`${volume}/${aside.join('')}`).isFile()).to.equal(true);
    expect(readdirSync(ledger.inFolder('data')).filter((name) => name.includes('set-aside'))).to.deep.equal([]);
    expect(right(Verified.decode(await events())).events).to.equal(2);
  });

  it('end at a signal though the disk of the store hangs, and leave nothing behind', async () => {
    const serving = await ledger.serveHere(ledger.env());
    await deliverSome(serving.url, 1);
    await serving.stop();
    const pipe = ledger.inFolder('hangs');
    const disk = hangingDisk(pipe, 'events.db');
    disk.hang();
    mkdirSync(ledger.inFolder('copies'));
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const env = { ...ledger.env(), ...disk.env, HANGING_AT: 'BEGIN' };
      const command = ledger.begin(['backup', '--out', ledger.inFolder('copies', 'copy.db')], env);
      await until(20_000, 'the copy to stand', () => Promise.resolve(existsSync(`${pipe}.stands`) ? true : null));
      expect(readdirSync(ledger.inFolder('copies'))).to.not.deep.equal([]);
      command.signal(signal);
      expect(await within(20_000, command.finished, 'the end')).to.deep.include({ signal });
      expect(readdirSync(ledger.inFolder('copies'))).to.deep.equal([]);
      rmSync(`${pipe}.stands`);
    }
  }).timeout(60_000);

  it('copy a ledger while it takes deliveries, and put it back where it was, read models built anew', async () => {
    const first = await ledger.serveHere(ledger.env());
    await deliverSome(first.url, 20);
    const done = new AbortController();
    const more = (async () => {
      while (!done.signal.aborted) await deliverSome(first.url, 1);
    })();
    const made = await command('backup', '--out', ledger.inFolder('copy.db'), '--json');
    done.abort();
    await more;
    expect(made).to.include({ status: 0, err: '' });
    const held: unknown = JSON.parse(made.out);
    const bytes = readFileSync(ledger.inFolder('copy.db'));
    expect(held).to.deep.include({ bytes: bytes.length, sha256: sha256(bytes) });
    expect(statSync(ledger.inFolder('copy.db')).mode & 0o777).to.equal(0o600);
    await deliverSome(first.url, 5);
    expectOneLine(await command('restore', ledger.inFolder('copy.db'), '--set-aside'), 1, /in use by another ledger/);
    await first.stop();

    expectOneLine(await command('restore', ledger.inFolder('copy.db')), 1, /events\.db is there already; --set-aside/);
    const restored = await command('restore', ledger.inFolder('copy.db'), '--set-aside', '--json');
    expect(restored).to.include({ status: 0, err: '' });
    expect(readdirSync(ledger.inFolder('data')).filter((name) => name.includes('set-aside'))).to.have.length(1);
    const back: unknown = JSON.parse(restored.out);
    expect(back).to.include({ bytes: bytes.length });

    const second = await ledger.serveHere(ledger.env());
    const shown = await until(10_000, 'the read models', async () => {
      const text = await orders(second.url);
      return text.includes('"data"') ? text : null;
    });
    await deliverSome(second.url, 1);
    await second.stop();
    const listed: unknown = JSON.parse(shown);
    const { events: count } = right(t.type({ events: t.number }).decode(held));
    expect(listed).to.have.property('data').with.length(count);
    const after = right(Verified.decode(await events()));
    expect(after.events).to.equal(count + 1);
    // The older events are whole; that later ones are gone is said by the checkpoint that was signed of them, if one was.
    expect(after.failures.filter(({ problem }) => !problem.startsWith('checkpoint-'))).to.deep.equal([]);
  });

  it('goes out and in by standard output and input', async () => {
    const serving = await ledger.serveHere(ledger.env());
    await deliverSome(serving.url, 4);
    await serving.stop();
    const child = spawn(process.execPath, [repositoryPath('src/ramp-ledger.mjs'), 'backup', '--out', '-'], {
      env: { ...ledger.env() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    await once(child, 'close');
    expect(child.exitCode).to.equal(0);
    const elsewhere = ledger.env({ DATA_DIR: ledger.inFolder('elsewhere') });
    const restored = await ledger.command(['restore', '-'], elsewhere, Buffer.concat(parts));
    expect(restored.out).to.match(/^4 events, up to position 4, are in place/);
    expect(JSON.parse((await ledger.command(['verify', '--json'], elsewhere)).out)).to.deep.include({ events: 4 });
    expect(readdirSync(ledger.inFolder('data')).filter((name) => name.endsWith('.part'))).to.deep.equal([]);
  });

  it('is refused where standard output is closed or the null device, by which nothing would be kept', async () => {
    const serving = await ledger.serveHere(ledger.env());
    await deliverSome(serving.url, 1);
    await serving.stop();
    for (const redirection of ['>&-', '>/dev/null']) {
      const program = [process.execPath, repositoryPath('src/ramp-ledger.mjs'), 'backup', '--out', '-'];
      const child = spawn('/bin/sh', ['-c', `exec "$0" "$@" ${redirection}`, ...program], {
        env: { ...ledger.env() },
        stdio: ['ignore', 'inherit', 'pipe'],
      });
      const parts: Buffer[] = [];
      child.stderr.on('data', (part: Buffer) => parts.push(part));
      await once(child, 'close');
      const ended = { status: child.exitCode, signal: null, out: '', err: Buffer.concat(parts).toString() };
      expectOneLine(ended, 1, /standard output is closed or the null device/);
    }
    expect(readdirSync(ledger.inFolder('data')).filter((name) => name.endsWith('.part'))).to.deep.equal([]);
  });

  it('leaves nothing of itself behind where the disk that standard output goes to is full', async () => {
    const serving = await ledger.serveHere(ledger.env());
    await deliverSome(serving.url, 1);
    await serving.stop();
    const program = [process.execPath, repositoryPath('src/ramp-ledger.mjs'), 'backup', '--out', '-'];
    const child = spawn('/bin/sh', ['-c', 'exec "$0" "$@" >/dev/full', ...program], {
      env: { ...ledger.env() },
      stdio: ['ignore', 'inherit', 'ignore'],
    });
    await once(child, 'close');
    expect(child.exitCode).to.equal(1);
    expect(readdirSync(ledger.inFolder('data')).filter((name) => name.includes('.part'))).to.deep.equal([]);
  });

  it('carry bank files, each checked by its digest', async () => {
    const statement = statementOf();
    const digest = sha256(statement);
    const [bank, copy] = [ledger.inFolder('march.sta'), ledger.inFolder('copy.db')];
    writeFileSync(bank, statement);
    const serving = await ledger.serveHere(ledger.env());
    await serving.stop();
    expect(await command('statement', 'import', bank)).to.include({ status: 0, err: '' });
    const made = await command('backup', '--out', copy, '--json');
    expect(made).to.include({ status: 0, err: '' });
    const bytes = readFileSync(copy);
    expect(JSON.parse(made.out)).to.deep.include({ bankFiles: 1, bytes: bytes.length, sha256: sha256(bytes) });

    const elsewhere = ledger.env({ DATA_DIR: ledger.inFolder('elsewhere') });
    const spoiled = new Database(ledger.inFolder('copy.db'));
    spoiled.exec("UPDATE bank_files SET bytes = X'00'");
    spoiled.close();
    expectOneLine(
      await ledger.command(['restore', copy], elsewhere),
      1,
      new RegExp(`bank file ${digest} in it is damaged`),
    );
    expect(existsSync(ledger.inFolder('elsewhere', 'events.db'))).to.equal(false);
    writeFileSync(copy, bytes);
    const restored = await ledger.command(['restore', copy], elsewhere);
    expect(restored.out).to.match(/^\d+ events, up to position \d+, and 1 bank file, are in place/);
    const kept = ledger.inFolder('elsewhere', 'statements', digest);
    expect(readFileSync(kept)).to.deep.equal(statement);
    expect(statSync(kept).mode & 0o777).to.equal(0o600);
    const verified = async () => ledger.command(['verify', '--json'], elsewhere);
    expect(JSON.parse((await verified()).out)).to.deep.include({ failures: [] });
    writeFileSync(kept, Buffer.concat([statement, Buffer.from(' ')]));
    const altered = await verified();
    expect(altered.status).to.equal(1);
    expect(JSON.parse(altered.out)).to.have.nested.property('failures[0].problem', 'bank-file-damaged');
    expect(altered.out).to.include(`"stream":"statement-${digest}"`);
    // Imported again it is what it was, and adds nothing.
    expect(await ledger.command(['statement', 'import', bank], elsewhere)).to.include({ status: 0 });
    expect(JSON.parse((await verified()).out)).to.deep.include({ failures: [] });

    writeFileSync(ledger.inFolder('data', 'statements', digest), 'spoiled');
    expectOneLine(await command('backup', '--out', copy), 1, new RegExp(`all else is: 1 in .*${digest}`));
    const again = await ledger.command(['restore', copy, '--set-aside', '--json'], elsewhere);
    expect(JSON.parse(again.out)).to.include({ bankFiles: 0 });
    expect(readFileSync(kept)).to.deep.equal(statement);
  });

  it('take what other tools of SQLite copied, too', async () => {
    const serving = await ledger.serveHere(ledger.env());
    await deliverSome(serving.url, 3);
    const source = new Database(file(), { readonly: true });
    source.prepare('VACUUM INTO ?').run(ledger.inFolder('vacuumed.db'));
    source.close();
    await serving.stop();
    const elsewhere = ledger.env({ DATA_DIR: ledger.inFolder('elsewhere') });
    mkdirSync(ledger.inFolder('elsewhere'));
    copyFileSync(ledger.inFolder('vacuumed.db'), ledger.inFolder('elsewhere', 'events.db'));
    const again = await ledger.serveHere(elsewhere);
    await deliverSome(again.url, 1);
  });

  it('refuses what is no whole backup, and leaves what is there alone', async () => {
    const serving = await ledger.serveHere(ledger.env());
    await deliverSome(serving.url, 30);
    await serving.stop();
    await command('backup', '--out', ledger.inFolder('copy.db'));
    const before = readFileSync(file());
    const bad = ledger.inFolder('bad.db');
    const refused = (line: RegExp) =>
      command('restore', bad, '--set-aside').then((ended) => expectOneLine(ended, 1, line));
    await refused(/bad\.db is not there/);
    writeFileSync(bad, 'These are minutes of a meeting.\n'.repeat(1_000));
    await refused(/backup can't be used.*damaged/);
    writeFileSync(bad, readFileSync(ledger.inFolder('copy.db')));
    truncateSync(bad, 3 * 8_192);
    // The copy of it that was looked through is gone: what is named is there.
    await refused(/^(?!.*\.(?:part|draft)).*backup can't be used: \S*\bbad\.db is damaged.*take it again/);
    // SQLite finds nothing wrong with a last page that is short.
    const whole = readFileSync(ledger.inFolder('copy.db'));
    for (const missing of [1, 600, 4_000]) {
      writeFileSync(bad, whole.subarray(0, -missing));
      await refused(/bad\.db is damaged \(it was cut off within a page\).*take it again/);
    }
    expect(readFileSync(file())).to.deep.equal(before);
    expect(readdirSync(ledger.inFolder('data')).filter((name) => /part|aside/.test(name))).to.deep.equal([]);
  });

  it('make no empty ledger of a write-ahead log whose file is gone, and leave it to no other file', async () => {
    const serving = await ledger.serve(ledger.env());
    await deliverSome(serving.url, 3);
    const copy = ledger.inFolder('copy.db');
    expect(await command('backup', '--out', copy)).to.include({ status: 0 });
    await deliverSome(serving.url, 4);
    serving.signal('SIGKILL');
    await serving.finished;
    // As a restore was left that was cut off when it moved one file at a time.
    const [moved, log] = [ledger.inFolder('moved.db'), `${file()}-wal`];
    renameSync(file(), moved);
    const committed = readFileSync(log);
    const orphaned = /events\.db is not there or empty, and .*events\.db-wal holds what was committed to it/;
    expectOneLine(await ledger.run(['serve'], ledger.env()), 1, orphaned);
    expectOneLine(await command('verify'), 1, orphaned);
    expectOneLine(await command('backup', '--out', ledger.inFolder('other.db')), 1, orphaned);
    expect((await command('doctor')).out).to.match(orphaned);
    expectOneLine(await command('restore', copy), 1, /events\.db-wal is there already; --set-aside/);
    expect(readFileSync(log)).to.deep.equal(committed);

    expect((await command('restore', copy, '--set-aside', '--json')).out).to.include('"events":3');
    expect(await events()).to.include({ events: 3 });
    const aside = readdirSync(ledger.inFolder('data')).filter((name) => name.includes('set-aside'));
    expect(aside).to.have.length(1);
    expect(readFileSync(ledger.inFolder('data', ...aside))).to.deep.equal(committed);
    renameSync(ledger.inFolder('data', ...aside), `${moved}-wal`);
    const before = ledger.env({ EVENT_STORE_URL: `sqlite:${moved}`, DATA_DIR: ledger.inFolder('before') });
    expect(JSON.parse((await ledger.command(['verify', '--json'], before)).out)).to.deep.include({ events: 7 });
  });

  it('says in one line what keeps it from being made', async () => {
    expectOneLine(await command('backup', '--out', ledger.inFolder('copy.db')), 2, /DATA_DIR: there is no ledger in/);
    mkdirSync(ledger.inFolder('data'));
    expectOneLine(await command('backup', '--out', ledger.inFolder('copy.db')), 1, /there is no event to back up yet/);
    const serving = await ledger.serveHere(ledger.env());
    await deliverSome(serving.url, 1);
    await serving.stop();
    expectOneLine(await command('backup', '--out', ledger.inFolder('no', 'such', 'copy.db')), 1, /copy\.db/);
    const esdb = ledger.env({ EVENT_STORE_URL: 'esdb://127.0.0.1:1?tls=false' });
    expectOneLine(
      await ledger.command(['backup', '--out', ledger.inFolder('copy.db')], esdb),
      1,
      /migrate --to sqlite/,
    );
    expectOneLine(await ledger.command(['restore', ledger.inFolder('copy.db')], esdb), 1, /EventStoreDB/);
  });
});
