import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as t from 'io-ts';
import { deliver } from '../support/exchange.ts';
import { bodyOf, newOrderId, onRamp } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { until } from '../support/until.ts';
import { ask, expectOneLine, processFixture } from './process-fixture.ts';

const Report = t.type({
  events: t.number,
  failures: t.array(t.type({ problem: t.string, detail: t.union([t.string, t.undefined]) })),
});
const Signed = t.type({ origin: t.string, size: t.number, rootHash: t.string, note: t.string });

/** What somebody does to the file of the events who has it in his hands. */
const ALTERATIONS: readonly (readonly [name: string, sql: string])[] = [
  ['the last event is taken out', 'DELETE FROM events WHERE position = (SELECT max(position) FROM events)'],
  ['one in the middle is taken out', 'DELETE FROM events WHERE position = 4'],
  ['all are taken out', 'DELETE FROM events'],
  ['an older state, which went on with others', 'DELETE FROM events WHERE position IN (6, 7, 9)'],
  [
    'one is put in between',
    `CREATE TEMP TABLE forged AS SELECT * FROM events WHERE position = 4;
     UPDATE events SET position = -position - 1 WHERE position > 4;
     UPDATE events SET position = -position WHERE position < 0;
     UPDATE forged SET position = 5, revision = 1, id = '00000000-0000-5000-8000-000000000000';
     INSERT INTO events SELECT * FROM forged`,
  ],
  [
    'an own event gets another digest',
    'UPDATE events SET metadata = replace(metadata, \'"recordSha256":"\', \'"recordSha256":"0\') WHERE position = 9',
  ],
  [
    'two change places',
    'UPDATE events SET position = 1000 WHERE position = 3; UPDATE events SET position = 3 WHERE position = 5; UPDATE events SET position = 5 WHERE position = 1000',
  ],
  ['one is moved to the end', 'UPDATE events SET position = 1000 WHERE position = 2'],
  [
    // A delivery's metadata is a list.
    'one gets another digest',
    "UPDATE events SET metadata = json_set(metadata, '$[5]', '0' || json_extract(metadata, '$[5]')) WHERE position = 6",
  ],
  ['one gets another type', "UPDATE events SET type = 'OnRampCompleted' WHERE position = 6"],
  [
    'the last is replaced by another one',
    "UPDATE events SET id = '00000000-0000-5000-8000-000000000000' WHERE position = (SELECT max(position) FROM events)",
  ],
];

const signingKey = (): string => generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });

describe('checkpoints', () => {
  const ledger = processFixture();
  const data = (name: string): string => ledger.inFolder('data', name);
  const command = (...args: readonly string[]) => ledger.command(args, ledger.env());

  const deliverSome = async (url: string, count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) {
      expect((await deliver(url, bodyOf(onRamp({ orderId: newOrderId() })))).status).to.equal(200);
    }
  };

  const served = async (count: number): Promise<void> => {
    const serving = await ledger.serveHere(ledger.env());
    await deliverSome(serving.url, count);
    await serving.stop();
  };

  const signed = async (): Promise<t.TypeOf<typeof Signed>> => {
    const { status, out, err } = await command('checkpoint', '--json');
    expect({ status, err }).to.deep.equal({ status: 0, err: '' });
    return right(Signed.decode(JSON.parse(out)));
  };

  const problems = async (...args: readonly string[]): Promise<readonly string[]> => {
    const { status, out } = await command('verify', '--json', ...args);
    const { failures } = right(Report.decode(JSON.parse(out)));
    expect(status).to.equal(failures.length === 0 ? 0 : 1);
    return failures.map(({ problem }) => problem).filter((problem) => problem.startsWith('checkpoint'));
  };

  it('are the same from a serving ledger and from none, and cover all that was acknowledged', async () => {
    const serving = await ledger.serveHere(ledger.env());
    await deliverSome(serving.url, 7);
    const one = await signed();
    expect(one.size).to.equal(7);
    expect(one.origin).to.equal(readFileSync(data('origin'), 'utf8').trimEnd());
    expect((await ask(serving.url, '/v1/log/checkpoint')).text).to.equal(one.note);
    await serving.stop();
    expect(await signed()).to.deep.equal(one);
    expect((await command('checkpoint')).out).to.equal(one.note);
    // A tree that is thrown away follows from the log again.
    rmSync(data('log-tree'), { recursive: true });
    expect(await signed()).to.deep.equal(one);
    expect(await problems()).to.deep.equal([]);
  });

  it('are of the same root after a migration, and one from before holds there', async () => {
    const env = { LEDGER_ORIGIN: 'log.example/moved', LEDGER_SIGNING_KEY: signingKey() };
    const serving = await ledger.serveHere(ledger.env(env));
    await deliverSome(serving.url, 6);
    await serving.stop();
    const before = await ledger.command(['checkpoint'], ledger.env(env));
    writeFileSync(ledger.inFolder('kept.txt'), before.out);
    mkdirSync(ledger.inFolder('moved'), { mode: 0o700 });
    const moved = ledger.env({ ...env, DATA_DIR: ledger.inFolder('moved') });
    const to = `sqlite:${ledger.inFolder('moved', 'events.db')}`;
    expect((await ledger.command(['migrate', '--to', to], ledger.env(env))).status).to.equal(0);
    expect(await ledger.command(['checkpoint'], moved)).to.deep.equal(before);
    const held = await ledger.command(['verify', '--json', '--checkpoint', ledger.inFolder('kept.txt')], moved);
    expect([held.status, held.err]).to.deep.equal([0, '']);
  });

  it('that somebody kept are held against the log', async () => {
    await served(3);
    const kept = ledger.inFolder('kept.txt');
    const { note } = await signed();
    writeFileSync(kept, note);
    expect(await problems('--checkpoint', kept)).to.deep.equal([]);
    await served(3);
    expect((await signed()).size).to.equal(6);
    expect(await problems('--checkpoint', kept)).to.deep.equal([]);
    for (const [text, problem] of [
      ['nothing', 'checkpoint-unreadable'],
      [note.replace('\n3\n', '\n4\n'), 'checkpoint-not-of-this-log'],
      [note.replaceAll('ramp-ledger/', 'another-ledger/'), 'checkpoint-not-of-this-log'],
    ] as const) {
      writeFileSync(kept, text);
      expect(await problems('--checkpoint', kept)).to.deep.equal([problem]);
    }
    expectOneLine(await command('verify', '--checkpoint', ledger.inFolder('none.txt')), 2, /none\.txt/);
  });

  it('are held against the log by somebody who lacks the key that signs, too', async () => {
    await served(4);
    const kept = ledger.inFolder('kept.txt');
    writeFileSync(kept, (await signed()).note);
    rmSync(data('signing-key'));
    expect(await problems('--checkpoint', kept)).to.deep.equal([]);
    const database = new Database(data('events.db'));
    database.exec('DROP TRIGGER events_are_never_deleted; DELETE FROM events WHERE position = 4');
    database.close();
    expect(await problems()).to.deep.equal(['checkpoint-beyond-log']);
    expect((await command('doctor')).out).to.match(/WRONG +checkpoints +history was lost/);
  });

  it('show whatever was done to the log before them, to verify and to the ledger itself', async () => {
    await served(8);
    // An event of the ledger itself stands in the tree like every other.
    const closing = ['--note', 'closed', '--despite', 'clock-anomalies'];
    expect((await command('period', 'close', '2023-03', ...closing)).status).to.equal(0);
    const { note, size } = await signed();
    expect(size).to.equal(9);
    const [kept, elsewhere] = [ledger.inFolder('kept.txt'), ledger.inFolder('elsewhere')];
    writeFileSync(kept, note);
    const whole = readFileSync(data('events.db'));
    for (const [name, sql] of ALTERATIONS) {
      writeFileSync(data('events.db'), whole);
      const database = new Database(data('events.db'));
      database.exec('DROP TRIGGER events_are_never_changed; DROP TRIGGER events_are_never_deleted');
      database.exec(sql);
      database.close();
      expect(await problems(), name).to.not.deep.equal([]);
      // Somebody who has nothing but one old checkpoint finds it as well, whatever was taken away beside the events.
      rmSync(elsewhere, { recursive: true, force: true });
      mkdirSync(elsewhere, { mode: 0o700 });
      for (const file of ['events.db', 'origin', 'signing-key']) copyFileSync(data(file), join(elsewhere, file));
      const args = ['verify', '--json', '--checkpoint', kept];
      const held = await ledger.command(args, ledger.env({ DATA_DIR: elsewhere }));
      const { failures } = right(Report.decode(JSON.parse(held.out)));
      const found = failures.filter(({ problem }) => /^checkpoint-(?:beyond-log|not-in-log)$/.test(problem));
      expect([held.status, found.length], name).to.deep.equal([1, 1]);
      // What was kept of the tree is no help to somebody who takes it away too.
      rmSync(data('log-tree'), { recursive: true });
      expectOneLine(await command('checkpoint'), 1, /nothing is signed: run ramp-ledger verify/);
    }
    writeFileSync(data('events.db'), whole);
    expect(await problems()).to.deep.equal([]);
    expect((await signed()).size).to.equal(9);
  });

  it('are signed no more by a ledger whose history is lost, which takes deliveries all the same', async () => {
    await served(5);
    await signed();
    for (const name of ['events.db', 'read-models.db', 'log-tree'])
      rmSync(data(name), { recursive: true, force: true });
    expect(await problems()).to.deep.equal(['checkpoint-beyond-log']);
    const serving = await ledger.serveHere(ledger.env());
    await deliverSome(serving.url, 2);
    for (const path of ['/v1/log/checkpoint', '/v1/log/tile/0/000.p/1', '/v1/proofs/consistency?from=0&to=0']) {
      const answer = await until(10_000, 'what the ledger finds', async () => {
        const { status, text } = await ask(serving.url, path);
        return text.includes('"behind"') ? null : { status, text };
      });
      expect(answer.status, path).to.equal(503);
      expect(answer.text, path).to.include('"history-lost"');
    }
    await deliverSome(serving.url, 2);
    await serving.stop();
    expect(serving.out()).to.include('does not contain a checkpoint that was signed');
    expectOneLine(await command('checkpoint'), 1, /a checkpoint of 5 events was signed, and the log has 4/);
  });

  it('hold a log under another name to what it signed under the former one', async () => {
    await served(6);
    expect((await signed()).size).to.equal(6);
    const database = new Database(data('events.db'));
    database.exec('DROP TRIGGER events_are_never_deleted; DELETE FROM events WHERE position > 4');
    database.close();
    const env = ledger.env({ LEDGER_ORIGIN: 'ledger.example/log' });
    const renamed = (...args: readonly string[]) => ledger.command(args, env);
    const verified = await renamed('verify', '--json');
    const failures = right(Report.decode(JSON.parse(verified.out))).failures.map(({ problem }) => problem);
    expect(failures).to.include('checkpoint-beyond-log');
    expect((await renamed('doctor')).out).to.match(/WRONG +checkpoints +history was lost/);
    expectOneLine(await renamed('checkpoint'), 1, /a checkpoint of 6 events was signed under \S+, and the log has 4/);
    const serving = await ledger.serveHere(env);
    await until(10_000, 'the ledger to find it', async () =>
      (await ask(serving.url, '/v1/log/checkpoint')).text.includes('history-lost') ? true : null,
    );
    const accepted = await renamed('checkpoint', '--json', '--accept-loss', 'the disk failed');
    expect(accepted.status, accepted.err).to.equal(0);
    const { origin, size } = right(Signed.decode(JSON.parse(accepted.out)));
    expect(origin).to.match(/^ledger\.example\/log\/[0-9a-f]{16}$/);
    expect(size).to.equal(4);
    await serving.stop();
    expect((await renamed('verify')).status).to.equal(0);
    expectOneLine(await renamed('checkpoint', '--accept-loss', 'nothing is lost'), 1, /no loss to accept/);
  });

  for (const [name, env] of [
    ['generated', {}],
    ['configured', { LEDGER_ORIGIN: 'log.example' }],
  ] as const) {
    it(`go on under another name once somebody has accepted a loss, beside a ledger that serves and without: ${name}`, async () => {
      const own = (...args: readonly string[]) => ledger.command(args, ledger.env(env));
      const lose = (): void => {
        for (const file of ['events.db', 'read-models.db', 'log-tree'])
          rmSync(data(file), { recursive: true, force: true });
      };
      const signedNow = async (...args: readonly string[]): Promise<t.TypeOf<typeof Signed>> => {
        const { status, out, err } = await own('checkpoint', '--json', ...args);
        expect(status, err).to.equal(0);
        return right(Signed.decode(JSON.parse(out)));
      };
      let serving = await ledger.serveHere(ledger.env(env));
      await deliverSome(serving.url, 3);
      const first = await signedNow();
      expectOneLine(await own('checkpoint', '--accept-loss', 'nothing is lost'), 1, /no loss to accept/);
      await serving.stop();
      expectOneLine(await own('checkpoint', '--accept-loss', 'nothing is lost'), 1, /no loss to accept/);
      expect((await own('checkpoint', '--accept-loss', ' ')).status).to.equal(2);
      lose();
      serving = await ledger.serveHere(ledger.env(env));
      await deliverSome(serving.url, 2);
      await until(10_000, 'the ledger to find it', async () =>
        (await ask(serving.url, '/v1/log/checkpoint')).text.includes('history-lost') ? true : null,
      );
      const second = await signedNow('--accept-loss', 'the disk failed');
      expect([second.origin === first.origin, second.size]).to.deep.equal([false, 2]);
      // The thread that signs tells the one that answers.
      await until(10_000, 'the ledger to show it', async () =>
        (await ask(serving.url, '/v1/log/checkpoint')).text === second.note ? true : null,
      );
      expect((await ask(serving.url, '/v1/log/key')).text.startsWith(`${second.origin}+`)).to.equal(true);
      await serving.stop();
      expect(await signedNow()).to.deep.equal(second);
      lose();
      const third = await signedNow('--accept-loss', 'again');
      expect(new Set([first, second, third].map(({ origin }) => origin)).size).to.equal(3);
      expect(third.size).to.equal(0);
      if (name === 'generated') expect(readFileSync(data('origin'), 'utf8')).to.equal(`${third.origin}\n`);
      const { status, out } = await own('verify', '--json');
      expect([status, right(Report.decode(JSON.parse(out))).failures]).to.deep.equal([0, []]);
      // A checkpoint of before is told to be one of a log that ended, and why.
      writeFileSync(ledger.inFolder('kept.txt'), first.note);
      const held = await own('verify', '--json', '--checkpoint', ledger.inFolder('kept.txt'));
      const [failure] = right(Report.decode(JSON.parse(held.out))).failures;
      expect([held.status, failure?.problem]).to.deep.equal([1, 'checkpoint-not-of-this-log']);
      expect(failure?.detail).to.include('the disk failed');
    });
  }
});
