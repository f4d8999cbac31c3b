import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { deliver } from '../support/exchange.ts';
import { fillLedger } from '../support/filled-ledger.ts';
import type { LedgerEnvironment } from '../support/ledger-process.ts';
import { SECRET } from '../support/payloads.ts';
import { until } from '../support/until.ts';
import { orderScript } from './order-script.ts';
import { ask, expectOneLine, processFixture } from './process-fixture.ts';

const PAGE_BYTES = 8192;
/** Some pages of events. */
const ORDERS = 20;

describe('a start that is refused', () => {
  const ledger = processFixture();
  const refusedWith = async (status: 1 | 2, line: RegExp, over: LedgerEnvironment = {}): Promise<void> => {
    const ended = await ledger.command(['serve'], ledger.env({ PORT: '0', ...over }));
    expectOneLine(ended, status, line);
  };
  /** In a process of its own, which ends when nothing holds it any more. */
  const processRefusedWith = async (status: 1 | 2, line: RegExp, over: LedgerEnvironment): Promise<void> => {
    expectOneLine(await ledger.run(['serve'], ledger.env({ PORT: '0', ...over })), status, line);
  };

  it("because its read models' file is another program's", async () => {
    const file = ledger.inFolder('theirs.db');
    const theirs = new Database(file);
    theirs.exec('CREATE TABLE notes (text TEXT)');
    theirs.close();
    await processRefusedWith(2, /READ_MODEL_URL: .*theirs\.db is a database of another program; set READ_MODEL_URL/, {
      READ_MODEL_URL: `sqlite:${file}`,
    });
  });

  it('because its host is another machine', () =>
    refusedWith(2, /HOST: 192\.0\.2\.1 is no address of this machine .*; give one of its own/, {
      HOST: '192.0.2.1',
      WEBHOOK_SECRETS: `a=${SECRET}`,
      API_KEYS: `a:admin=${SECRET}`,
    }));

  it('is none because the read models are damaged: deliveries are taken, and it ends when it is told to', async () => {
    mkdirSync(ledger.inFolder('data'));
    writeFileSync(ledger.inFolder('data', 'read-models.db'), 'These are minutes of a meeting.\n'.repeat(1_000));
    const { url, signal, finished } = await ledger.serve(ledger.env());
    for (const { body } of orderScript('order-1', 1)) expect((await deliver(url, body)).status).to.equal(200);
    signal('SIGTERM');
    expect((await finished).status).to.equal(0);
  });

  it('is none because the read models can not be opened for a while: deliveries are taken, and lists come behind', async () => {
    mkdirSync(ledger.inFolder('data'));
    // What SQLite says of it is what it says of too many open files, and of a place that is none.
    const inTheWay = ledger.inFolder('data', 'read-models.db-journal');
    mkdirSync(inTheWay);
    const { url, signal, finished } = await ledger.serve(ledger.env());
    for (const { body } of orderScript('order-1', 1)) expect((await deliver(url, body)).status).to.equal(200);
    expect((await ask(url, '/v1/orders')).status).to.equal(503);
    rmdirSync(inTheWay);
    await until(60_000, 'lists to be there', async () => {
      const list = await ask(url, '/v1/orders');
      return list.status === 200 && list.text.includes('order-1') ? list : null;
    });
    signal('SIGTERM');
    expect((await finished).status).to.equal(0);
  }).timeout(120_000);

  describe('because of its event store', () => {
    let file = '';
    beforeEach(() => {
      mkdirSync(ledger.inFolder('data'));
      file = ledger.inFolder('data', 'events.db');
    });

    /** Puts a file with some orders there, and gives its bytes. */
    const aStore = async (): Promise<Buffer> => {
      await fillLedger({ file, dataDir: ledger.inFolder('data') }, ORDERS);
      return readFileSync(file);
    };

    it('names a file that is no database', async () => {
      writeFileSync(file, 'These are minutes of a meeting.\n'.repeat(PAGE_BYTES / 16));
      const before = readFileSync(file);
      await refusedWith(1, /events\.db is damaged .*backup/);
      expect(readFileSync(file).equals(before), 'nothing was written to it').to.equal(true);
    });

    it('names a file that is damaged, and writes nothing to it', async () => {
      const whole = await aStore();
      const cut = whole.subarray(0, whole.length - PAGE_BYTES);
      const overwritten = Buffer.from(whole);
      for (let at = PAGE_BYTES; at < whole.length; at += PAGE_BYTES) overwritten.fill(0x5a, at, at + PAGE_BYTES / 2);
      for (const bytes of [cut, overwritten]) {
        writeFileSync(file, bytes);
        await refusedWith(1, /events\.db is damaged .*backup/);
        expect(readFileSync(file).equals(bytes)).to.equal(true);
      }
      writeFileSync(file, whole);
      await ledger.serveHere(ledger.env());
    });

    it('names a file of a newer schema, and what to start instead', async () => {
      await aStore();
      const database = new Database(file);
      database.pragma('user_version = 99');
      database.close();
      await refusedWith(1, /events\.db has schema 99.* newer ramp-ledger/);
      expectOneLine(await ledger.command(['verify', '--json'], ledger.env()), 1, /schema 99.* newer ramp-ledger/);
    });

    it("leaves another program's database alone", async () => {
      const other = new Database(file);
      other.exec('CREATE TABLE invoices (id INTEGER PRIMARY KEY, amount TEXT); INSERT INTO invoices VALUES (1, 10)');
      other.close();
      const before = readFileSync(file);
      await refusedWith(2, /EVENT_STORE_URL: .*events\.db is a database of another program.*EVENT_STORE_URL/);
      expect(readFileSync(file).equals(before), 'nothing was written to it').to.equal(true);
    });

    it('names a folder in place of a file', async () => {
      mkdirSync(file);
      await refusedWith(2, / EVENT_STORE_URL: .*events\.db is a folder; name a file/);
    });
  });

  describe('because of where a variable puts a database', () => {
    const NAMED = ['EVENT_STORE_URL', 'READ_MODEL_URL'] as const;

    it('names the variable, what is wrong, and what would be right, and writes nothing', async () => {
      const [folder, text] = [ledger.inFolder('folder'), ledger.inFolder('minutes.txt')];
      mkdirSync(folder);
      writeFileSync(text, 'These are minutes of a meeting.\n');
      for (const variable of NAMED) {
        const places: readonly (readonly [string, RegExp])[] = [
          [ledger.inFolder('nowhere', 'x.db'), /the folder of .*x\.db is not there; make the folder, or name/],
          [folder, /folder is a folder; name a file/],
          [join(text, 'x.db'), /minutes\.txt is no folder; name a file/],
          [text, /minutes\.txt is no database of SQLite; name a file/],
        ];
        for (const [place, line] of places) {
          await refusedWith(2, new RegExp(` ${variable}: .*${line.source}`), { [variable]: `sqlite:${place}` });
        }
      }
      expect(existsSync(ledger.inFolder('data'))).to.equal(false);
      expect(readFileSync(text, 'utf8')).to.equal('These are minutes of a meeting.\n');
    });

    it('is named by doctor and by commands likewise', async () => {
      await ledger.serveHere(ledger.env());
      for (const variable of NAMED) {
        const env = ledger.env({ [variable]: `sqlite:${ledger.inFolder('nowhere', 'x.db')}` });
        const seen = await ledger.command(['doctor', '--json'], env);
        expect(seen.status, variable).to.equal(1);
        expect(seen.out).to.match(
          new RegExp(`"ok":\\s*false,\\s*"detail":[^{]*nowhere/x\\.db[^{]*"cure":[^{]*${variable}`),
        );
        expectOneLine(await ledger.command(['orders'], env), 2, new RegExp(` ${variable}: .*x\\.db`));
      }
    });

    it('is none where a database of its own is damaged, wherever that is', async () => {
      const file = ledger.inFolder('models.db');
      const env = ledger.env({ READ_MODEL_URL: `sqlite:${file}` });
      const { url, stop } = await ledger.serveHere(env);
      await deliver(url, orderScript('order-1', 1)[0]?.body ?? '');
      await until(20_000, 'read models', () => Promise.resolve(existsSync(`${file}.g1`) ? true : null));
      await stop();
      writeFileSync(file, 'These are minutes of a meeting.\n'.repeat(1_000));
      await ledger.serveHere(env);
    });
  });

  describe('because of its data directory', () => {
    it('names one that is a file', async () => {
      writeFileSync(ledger.inFolder('data'), 'no folder');
      await refusedWith(2, /DATA_DIR/);
    });

    it('names one that can never be made', async () => {
      writeFileSync(ledger.inFolder('file'), 'no folder');
      await refusedWith(2, /DATA_DIR/, { DATA_DIR: ledger.inFolder('file', 'data') });
    });

    it('names one whose path is too long for a socket', async () => {
      await refusedWith(2, /DATA_DIR .*shorter path/, { DATA_DIR: ledger.inFolder('long-'.repeat(24)) });
    });

    it('names one in which a folder has the place of its socket, and ends', async () => {
      mkdirSync(ledger.inFolder('data', 'ledger.sock'), { recursive: true });
      const ended = await ledger.run(['serve'], ledger.env({ PORT: '0' }));
      expectOneLine(
        ended,
        2,
        /DATA_DIR: .*ledger\.sock is a folder, and the ledger keeps a socket there; move .*ledger\.sock away/,
      );
    });

    it('makes one that is missing, with what is above it, for its owner only', async () => {
      const dataDir = ledger.inFolder('deep', 'down', 'data');
      const { url } = await ledger.serveHere(ledger.env({ DATA_DIR: dataDir }));
      expect(url).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect(statSync(dataDir).mode & 0o777).to.equal(0o700);
    });
  });

  it('because of a port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await processRefusedWith(1, new RegExp(`PORT ${port} .*taken.*PORT`), { PORT: String(port) });
    taken.close();
    await once(taken, 'close');
    await ledger.serveHere(ledger.env({ PORT: String(port) }));
  });

  describe('because of its configuration', () => {
    it('names the variable, without a value that is secret', async () => {
      const short = 'short-and-secret';
      const wrong: readonly (readonly [string, LedgerEnvironment])[] = [
        ['PORT', { PORT: '99999' }],
        ['EVENT_STORE_URL', { EVENT_STORE_URL: `mysql://user:${short}@host/db` }],
        ['WEBHOOK_SECRETS', { WEBHOOK_SECRETS: `primary=${short}` }],
        ['WEBHOOK_SECRETS', { WEBHOOK_SECRETS_FILE: ledger.inFolder('secrets') }],
        ['API_KEYS', { API_KEYS: `bot:orders:write=${SECRET}` }],
      ];
      const starts = wrong.map(async ([variable, over]) => {
        const ended = await ledger.command(['serve'], ledger.env({ PORT: '0', ...over }));
        expectOneLine(ended, 2, new RegExp(`\\b${variable}\\b`));
        expect(ended.err).to.not.include(SECRET).and.to.not.include(short);
      });
      await Promise.all(starts);
    });

    it('does not listen where others can reach it without a secret and a key that somebody chose', async () => {
      const { DATA_DIR = '' } = ledger.env();
      for (const [variable, over] of [
        ['WEBHOOK_SECRETS', {}],
        ['API_KEYS', { WEBHOOK_SECRETS: `primary=${SECRET}` }],
      ] as const) {
        const ended = await ledger.command(['serve'], { DATA_DIR, HOST: '0.0.0.0', PORT: '0', ...over });
        expectOneLine(ended, 2, new RegExp(`${variable}.*HOST`));
      }
    });
  });

  it('because of wrong usage', async () => {
    const usages = [['serv'], ['serve', '--loud'], ['order'], ['order', 'ord-1', '--revision', '-1']];
    const runs = usages.map(async (args) => {
      const ended = await ledger.command(args, ledger.env());
      expect({ status: ended.status, out: ended.out }, args.join(' ')).to.deep.equal({ status: 2, out: '' });
      expect(ended.err, 'says what, without a stack')
        .to.match(/error: /)
        .and.to.not.match(/\n\s+at /);
    });
    await Promise.all(runs);
  });
});
