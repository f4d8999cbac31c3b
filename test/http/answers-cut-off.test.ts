import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { AccessLine } from '../../src/http/access-log.ts';
import type { CutOff } from '../../src/http/cut-off.ts';
import { documentedRouter } from '../../src/http/documented-router.ts';
import type { HttpServer, ServerLimits } from '../../src/http/http-server.ts';
import type { ReaderPace } from '../../src/http/connections/reader-patience.ts';
import type { QueryFailure } from '../../src/queries/failure/query-failure.ts';
import { sendReply, type Reply } from '../../src/replies/reply.ts';
import { routeDependencies } from '../support/route-dependencies.ts';
import { serveRouters } from '../support/serve-api.ts';
import { until } from '../support/until.ts';

const SOON_MS = 20_000;
/** More than lies between two programs. */
const LARGE = Buffer.alloc(16 * 1024 * 1024, 'x');
const PIECE = E.right(LARGE.subarray(0, 256 * 1024));
const PATIENT: ReaderPace = { patienceMs: 60_000, bytesPerSecond: 1 };

type Pieces = () => AsyncGenerator<E.Either<QueryFailure, Uint8Array>, void, undefined>;

const endless: Pieces = async function* () {
  for (;;) {
    yield PIECE;
    await new Promise(setImmediate);
  }
};

const failing: Pieces = async function* () {
  yield PIECE;
  await new Promise(setImmediate);
  yield E.left({ _tag: 'StoreUnavailable', detail: 'gone' });
};

const throwing: Pieces = async function* () {
  yield PIECE;
  await new Promise(setImmediate);
  throw new Error('nobody expects it');
};

/** One piece, of which the reader has taken nothing when there is no more to be made. */
const whole: Pieces = async function* () {
  yield await Promise.resolve(E.right(LARGE));
};

const small: Pieces = async function* () {
  yield await Promise.resolve(E.right(Buffer.from('all of it')));
};

const file = (pieces: Pieces, pace = PATIENT, revoked = new AbortController().signal): Reply<never> => ({
  type: 'text/csv',
  stream: { pieces, close: () => Promise.resolve(), pace, revoked, halves: 'bad' },
});

describe('the lines of an answer', () => {
  let server: HttpServer;
  let accessLines: AccessLine[];
  let cutOffs: CutOff[];
  let logged: { readonly fields: object; readonly message: string }[];
  let caller: Socket;

  const serve = async (reply: Reply<never>, limits: Partial<ServerLimits> = {}): Promise<void> => {
    const log = {
      error: (fields: object, message: string) => logged.push({ fields, message }),
      warn: (fields: object, message: string) => logged.push({ fields, message }),
    };
    const operation = {
      id: 'a',
      method: 'get',
      path: '/a',
      tag: 'Operating',
      summary: '',
      scopes: [],
      parameters: [],
      answers: [],
      problems: [],
    } as const;
    const handle = async (ctx: Parameters<typeof sendReply>[0]): Promise<void> => {
      await sendReply(ctx, log, null, reply);
    };
    server = await serveRouters(
      [documentedRouter([{ operation, handle }])],
      { ...routeDependencies(), log },
      { onRequest: (line) => accessLines.push(line), onCutOff: (cutOff) => cutOffs.push(cutOff) },
      limits,
    );
  };

  /** Asks, and reads no more than the head of the answer. */
  const ask = async (): Promise<void> => {
    const { hostname, port } = new URL(server.url);
    caller = connect({ host: hostname, port: Number(port) });
    caller.on('error', () => undefined);
    caller.write('GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await new Promise((resolve) => {
      caller.once('data', resolve);
    });
    caller.pause();
  };

  const accessLine = (): Promise<AccessLine> =>
    until(SOON_MS, 'the access line', () => Promise.resolve(accessLines[0] ?? null));

  const cutOff = (): Promise<CutOff> => until(SOON_MS, 'the cut-off', () => Promise.resolve(cutOffs[0] ?? null));

  beforeEach(() => {
    [accessLines, cutOffs, logged] = [[], [], []];
  });
  afterEach(async () => {
    caller.destroy();
    await server.close();
  });

  it('say nothing of the kind where all of it left', async () => {
    await serve(file(small));
    await ask();
    expect(await accessLine())
      .to.include({ status: 200 })
      .and.not.have.property('outcome');
    expect(cutOffs).to.deep.equal([]);
  });

  for (const [name, pieces] of [
    ['is still made', endless],
    ['waits in its last bytes', whole],
  ] as const) {
    it(`tell that the ledger stopped while a file ${name}`, async () => {
      await serve(file(pieces));
      await ask();
      await server.close();
      expect(await accessLine()).to.include({ status: 200, outcome: 'cut-off' });
      expect(await cutOff()).to.include({ by: 'ledger', reason: 'the ledger was told to stop' });
    });

    it(`tell that its caller hung up while a file ${name}`, async () => {
      await serve(file(pieces));
      await ask();
      caller.resetAndDestroy();
      expect(await accessLine()).to.include({ status: 200, outcome: 'cut-off' });
      expect(await cutOff()).to.have.property('by', 'caller');
    });

    it(`tell that its reader was too slow while a file ${name}`, async () => {
      await serve(file(pieces, { patienceMs: 100, bytesPerSecond: 1_000_000_000 }));
      await ask();
      expect(await accessLine()).to.include({ status: 200, outcome: 'cut-off' });
      expect(logged.map(({ message }) => message)).to.deep.equal(['a stream was cut off']);
    });

    it(`tell that the key of its reader ended while a file ${name}`, async () => {
      const revoked = new AbortController();
      await serve(file(pieces, PATIENT, revoked.signal));
      await ask();
      revoked.abort();
      expect(await accessLine()).to.include({ status: 200, outcome: 'cut-off' });
      expect(logged.map(({ message }) => message)).to.deep.equal(['a stream was cut off']);
    });
  }

  it('tell that it failed in the middle, as a failure or as what nobody expects', async () => {
    await serve(file(failing));
    await ask();
    caller.resume();
    expect(await accessLine()).to.include({ status: 200, outcome: 'cut-off' });
    caller.destroy();
    await server.close();
    accessLines = [];
    await serve(file(throwing));
    await ask();
    caller.resume();
    expect(await accessLine()).to.include({ status: 200, outcome: 'cut-off' });
    expect(logged.map(({ message }) => message)).to.deep.equal(['unexpected error']);
  });

  it('that was made at once and is still read when the ledger is told to stop say nothing of the kind: it is given whole', async () => {
    await serve({ type: 'application/zip', body: LARGE });
    await ask();
    const closed = server.close();
    caller.on('data', () => undefined).resume();
    await closed;
    await until(SOON_MS, 'all of it', () => Promise.resolve(caller.bytesRead > LARGE.length ? true : null));
    expect(cutOffs).to.deep.equal([]);
  });

  it('that was made at once tell of the end of its connection, whoever ended it', async () => {
    const zip: Reply<never> = { type: 'application/zip', body: LARGE };
    await serve(zip);
    await ask();
    await server.close();
    expect(await cutOff()).to.include({ by: 'ledger', reason: 'the ledger was told to stop', status: 200 });
    cutOffs = [];
    await serve(zip);
    await ask();
    caller.resetAndDestroy();
    expect(await cutOff()).to.have.property('by', 'caller');
    cutOffs = [];
    const pace = { patienceMs: 50, bytesPerSecond: 1_000_000_000 };
    await server.close();
    await serve(zip, { unread: { pace, bytes: LARGE.length * 2, lookEveryMs: 10 } });
    await ask();
    expect(await cutOff()).to.include({ by: 'ledger', reason: 'its reader took too little of it' });
  });
});
