import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as t from 'io-ts';
import { compared } from '../../src/read-models/compared.ts';
import { LOG_LEVELS, type LogLevel } from '../../src/telemetry/log-level.ts';
import { linesIn } from '../../src/telemetry/lost-lines.ts';
import { createLog, type Log } from '../../src/telemetry/logger.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { within } from '../support/within.ts';

const REQUEST = { requestId: 'request-1', method: 'POST', route: '/v1/webhooks', status: 200, durationMs: 1.25 };

const LeftOut = t.intersection([
  t.type({ route: t.string, status: t.number, lines: t.number }),
  t.partial({ outcome: t.string }),
]);

describe('the log', () => {
  let folder = temporaryFolder();
  let descriptors: number[] = [];
  let exits: readonly unknown[] = [];
  beforeEach(() => {
    folder.remove();
    folder = temporaryFolder();
    descriptors = [];
    exits = process.listeners('exit');
  });
  afterEach(() => {
    // A log lasts as long as its process, which here is that of the tests.
    for (const listener of process.listeners('exit')) if (!exits.includes(listener)) process.off('exit', listener);
    for (const fd of descriptors) closeSync(fd);
  });
  after(() => folder.remove());

  const path = (): string => join(folder.path, 'log');
  const text = (): string => readFileSync(path(), 'utf8');
  const lines = (): readonly Record<string, unknown>[] =>
    text()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => right(t.UnknownRecord.decode(JSON.parse(line))));

  const create = (level: LogLevel, onTerminal = false): Promise<Log> => {
    const fd = openSync(path(), 'a');
    descriptors.push(fd);
    return createLog(level, onTerminal, fd, (error) => {
      throw error;
    });
  };

  it('is JSON lines with the time in ISO 8601', async () => {
    const { logger, request, flush } = await create('info');
    logger.warn({ active: 2 }, 'read again');
    logger.debug('not at this level');
    request(REQUEST, true);
    await flush();
    const [first, second, ...more] = lines();
    expect(more).to.deep.equal([]);
    expect(first).to.include({ msg: 'read again', active: 2 });
    expect(first?.['time']).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(second).to.include({ msg: 'request', ...REQUEST });
  });

  it('announces at every level, at once', async () => {
    for (const level of LOG_LEVELS) {
      const { announce } = await create(level);
      announce({ url: 'http://127.0.0.1:8080' }, 'listening');
    }
    const said = (): number =>
      lines().filter(({ msg, url }) => msg === 'listening' && url === 'http://127.0.0.1:8080').length;
    // Sooner than a line that waits for company.
    const everyLevel = (): Promise<true | null> => Promise.resolve(said() === LOG_LEVELS.length ? true : null);
    await until(5_000, 'every level', everyLevel);
  });

  it('writes nothing else when it is silent', async () => {
    const { logger, request, flush } = await create('silent');
    logger.fatal('unheard');
    request(REQUEST, true);
    await flush();
    expect(text()).to.equal('');
  });

  it('shows no secret and no personal data, at whatever depth they come in', async () => {
    const { logger, flush } = await create('info');
    const hidden = ['authorization', 'signature', 'secret', 'email', 'phone', 'body', 'x-service-signature'];
    for (const name of hidden) {
      logger.info({ [name]: 'HIDDEN', a: { [name]: 'HIDDEN', b: { [name]: { c: 'HIDDEN' } } } });
    }
    logger.error({ err: Object.assign(new Error('parse failed'), { body: 'HIDDEN', fine: 'shown' }) });
    logger.child({ email: 'HIDDEN' }).info({ req: { headers: { authorization: 'HIDDEN' } } });
    await flush();
    expect(lines()).to.have.length(hidden.length + 2);
    expect(text()).to.include('parse failed').and.include('shown').and.not.include('HIDDEN');
  });

  it('holds a line back for company, and lets go of it before long', async () => {
    const { request } = await create('info');
    request(REQUEST, true);
    expect(text()).to.equal('');
    await until(5_000, 'the held line', () => Promise.resolve(text() === '' ? null : text()));
    expect(lines()).to.have.length(1);
  });

  it('loses no line of many, and keeps their order', async () => {
    const { request } = await create('info');
    for (let status = 0; status < 5_000; status += 1) {
      request({ ...REQUEST, status }, true);
      if (status % 100 === 0) await new Promise(setImmediate);
    }
    await until(5_000, 'the last line', () => Promise.resolve(text().includes('"status":4999,') ? true : null));
    expect(lines().map(({ status }) => status)).to.deep.equal(Array.from({ length: 5_000 }, (_, at) => at));
  });

  it('has a bounded number of lines of strangers, tells what it left out, and has every line of those who proved themselves', async () => {
    const { request, cutOff, flush } = await create('info');
    const proved = 'request-proved';
    for (let at = 0; at < 4_000; at += 1) request({ ...REQUEST, route: 'none', status: 404 }, false);
    for (let at = 0; at < 50; at += 1) {
      request({ ...REQUEST, status: 401, outcome: 'signature-mismatch' }, false);
      cutOff({ ...REQUEST, by: 'caller', reason: 'ECONNRESET' }, false);
      request({ ...REQUEST, requestId: proved }, true);
    }
    await flush();
    const of = (said: string) => lines().filter(({ msg }) => msg === said);
    expect(lines().filter(({ requestId }) => requestId === proved)).to.have.length(50);
    const written = [...of('request'), ...of('a caller went away before its reply was there')].length - 50;
    expect(written).to.be.within(1_000, 2_000);
    const told = of('lines of requests that proved nothing were left out');
    const kinds = told.flatMap(({ leftOut }) => right(t.array(LeftOut).decode(leftOut)));
    expect(new Set(kinds.map(({ route, status, outcome = '' }) => `${route} ${status} ${outcome}`))).to.deep.equal(
      new Set(['none 404 ', '/v1/webhooks 401 signature-mismatch', '/v1/webhooks 200 cut-off']),
    );
    expect(kinds.reduce((sum, kind) => sum + kind.lines, written)).to.equal(4_100);
  });

  it('tells of a caller that went away and of an end by the ledger by a word, and of any other end of a reply with where it came from', async () => {
    const { cutOff, flush } = await create('info');
    cutOff({ ...REQUEST, by: 'caller', reason: 'EPIPE' }, false);
    cutOff({ ...REQUEST, by: 'ledger', reason: 'told to stop' }, true);
    cutOff({ ...REQUEST, err: new Error('unheard of') }, false);
    await flush();
    const [gone, stopped, other] = lines();
    expect(gone)
      .to.include({ level: 30, msg: 'a caller went away before its reply was there', reason: 'EPIPE' })
      .and.not.have.property('err');
    expect(stopped).to.include({ level: 40, msg: 'a reply was cut off', reason: 'told to stop' });
    expect(other).to.include({ level: 40, msg: 'a reply was cut off' }).and.have.nested.property('err.stack');
  });

  it('is readable text on a terminal, each line at once', async () => {
    const { logger, request } = await create('info', true);
    logger.info({ active: 2 }, 'read again');
    request(REQUEST, true);
    await until(5_000, 'both lines', () => Promise.resolve(text().includes('/v1/webhooks') ? true : null));
    expect(text()).to.match(/INFO.*read again[^]*active.*2[^]*INFO.*request[^]*\/v1\/webhooks/);
  });

  it('tells once of a descriptor that takes no lines, and goes on', async () => {
    const fd = openSync(process.execPath, 'r');
    descriptors.push(fd);
    const told: string[] = [];
    const { logger, lost, flush } = await createLog('info', false, fd, ({ message }) => told.push(message));
    for (let round = 0; round < 3; round += 1) {
      logger.info('lost');
      await flush();
    }
    expect(told).to.have.length(1);
    expect(lost()).to.equal(3);
  });

  it('counts the lines that nobody took in time, and tells of them once somebody does', async () => {
    const pipe = join(folder.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const fd = openSync(pipe, 'r+');
    descriptors.push(fd);
    const { logger, lost } = await createLog('info', false, fd);
    // More than is held and a pipe takes.
    const LINES = 12_000;
    for (let at = 0; at < LINES; at += 1) logger.info({ text: 'x'.repeat(1_000) }, 'one of many');
    expect(lost()).to.be.within(1, LINES - 1);
    const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    reader.stdout.setEncoding('utf8').on('data', (piece: string) => (said += piece));
    const LOST = /^.*"msg":"lines of the log were lost".*\n/m;
    try {
      const [line = ''] = await until(20_000, 'the loss', () => Promise.resolve(LOST.exec(said)));
      const told = right(t.type({ level: t.number, lines: t.number, since: t.string }).decode(JSON.parse(line)));
      expect(told).to.deep.include({ level: 40, lines: lost() });
      expect(Date.parse(told.since)).to.be.within(Date.now() - 60_000, Date.now());
      expect(said.match(/"one of many"/g)).to.have.length(LINES - lost());
      logger.info('after it');
      await until(20_000, 'what comes later', () => Promise.resolve(said.includes('after it') ? true : null));
      expect(said.match(/were lost/g)).to.have.length(1);
    } finally {
      reader.kill();
    }
  }).timeout(60_000);

  const LOGGER = JSON.stringify(new URL('../../src/telemetry/logger.ts', import.meta.url).href);

  const program = (end: string): string => `
    import { createLog } from ${LOGGER};
    const { logger } = await createLog('info', false);
    for (let at = 0; at < 3; at += 1) logger.info({ at }, 'last words');
    ${end}`;

  const run = (end: string, stdout: 'pipe' | number) =>
    spawnSync(process.execPath, ['--input-type=module', '-e', program(end)], {
      encoding: 'utf8',
      stdio: ['ignore', stdout, 'pipe'],
      timeout: 10_000,
    });

  const KILLS = JSON.stringify(new URL('../../src/composition/end-process.ts', import.meta.url).href);

  for (const [where, onTerminal] of [
    ['a disk that hangs', false],
    ['a terminal that was stopped', true],
  ] as const) {
    it(`holds up neither whoever writes it nor the end, as on ${where}`, () => {
      // A pipe that nobody reads and whose writes wait, as those to such a disk do.
      const pipe = join(folder.path, 'pipe');
      execFileSync('mkfifo', [pipe]);
      const fd = openSync(pipe, 'r+');
      descriptors.push(fd);
      const stuck = `
        const { logger: lines, flush } = await createLog('info', ${onTerminal});
        for (let at = 0; at < 20; at += 1) {
          lines.info({ at, text: 'x'.repeat(20_000) }, 'too much for a pipe');
          await new Promise(setImmediate);
        }
        const { endProcess } = await import(${KILLS});
        await flush();
        await endProcess(async () => {
          process.stderr.write('it kills itself');
          lines.info('last words');
          await flush();
        });`;
      const child = run(stuck, fd);
      expect(child).to.include({ signal: 'SIGKILL', stderr: 'it kills itself', status: null });
    });
  }

  it('has every line whole where its reader pauses at the end of the process', async () => {
    // The stream makes its pipe one whose writes do not wait.
    const paused = `
      import { createLog } from ${LOGGER};
      process.stdout.isTTY;
      const { logger, flush } = await createLog('info', false);
      for (let at = 0; at < 700; at += 1) logger.info({ at, text: 'x'.repeat(1_000) }, 'last words');
      await flush();
      process.stderr.write('it ends');
      process.exit();`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', paused], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.pause();
    await within(10_000, once(child.stderr, 'data'), 'the end');
    let said = '';
    child.stdout
      .setEncoding('utf8')
      .on('data', (piece: string) => (said += piece))
      .resume();
    await within(10_000, once(child, 'close'), 'the close');
    const read = said
      .trimEnd()
      .split('\n')
      .map((line) => right(t.type({ at: t.number }).decode(JSON.parse(line))).at);
    expect(read).to.deep.equal(Array.from({ length: 700 }, (_, at) => at));
  });

  it('holds up no end of a process for a reader that takes a little again and again, and says how many lines it lost', async () => {
    const pipe = join(folder.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const [fd, end] = [openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK), openSync(pipe, 'w')];
    descriptors.push(fd, end);
    // The stream makes its pipe one whose writes do not wait.
    const ends = `
      import { createLog } from ${LOGGER};
      process.stdout.isTTY;
      const { logger, flush } = await createLog('info', false);
      for (let at = 0; at < 4_000; at += 1) logger.info({ at, text: 'x'.repeat(1_000) }, 'last words');
      await flush();
      process.stderr.write('it ends;');
      process.exit();`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', ends], { stdio: ['ignore', end, 'pipe'] });
    const heard: string[] = [];
    const said: Buffer[] = [];
    child.stderr?.setEncoding('utf8').on('data', (piece: string) => heard.push(piece));
    const taken = Buffer.alloc(4_096);
    const take = (): number => {
      const bytes = compared(
        () => readSync(fd, taken),
        () => 0,
      );
      said.push(Buffer.from(taken.subarray(0, bytes)));
      return bytes;
    };
    const trickle = setInterval(() => {
      if (heard.length > 0) take();
    }, 50);
    try {
      const ended = await within(20_000, once(child, 'close'), 'the end');
      expect(ended, heard.join('')).to.deep.equal([0, null]);
    } finally {
      clearInterval(trickle);
      child.kill('SIGKILL');
    }
    while (take() > 0);
    const read = linesIn(Buffer.concat(said));
    expect(read).to.be.within(1, 3_999);
    expect(heard.join('')).to.equal(
      `it ends;the log can't be written: nobody took its last lines within a second; lost: ${4_000 - read}\n`,
    );
  }).timeout(60_000);

  for (const [how, end, status] of [
    ['that exits', 'process.exit(3)', 3],
    ['that crashes', "throw new Error('crash')", 1],
    ['that has nothing left to do', '', 0],
  ] as const) {
    it(`is written in full at the end of a process ${how}`, () => {
      const child = run(end, 'pipe');
      expect(child.status, child.stderr).to.equal(status);
      expect(child.stdout.match(/last words/g)).to.have.length(3);
    });

    it(`holds up no process ${how} where it can't be written any more`, () => {
      const readOnly = openSync(process.execPath, 'r');
      descriptors.push(readOnly);
      const child = run(end, readOnly);
      expect({ status: child.status, signal: child.signal }).to.deep.equal({ status, signal: null });
      expect(child.stderr).to.include("the log can't be written");
    });
  }
});
