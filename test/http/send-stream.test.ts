import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { sendStream, type CutOff, type Left, type StreamedBody } from '../../src/http/send-stream.ts';
import { until } from '../support/until.ts';

const FAILURE = 'in the middle';

const PIECE = E.right(Buffer.alloc(256 * 1024, 'x'));

/** What a stream came to. */
type Sent = { outcome: typeof FAILURE | CutOff | Left | null | 'under way'; pieces: number; closed: number };

describe('a streamed reply', () => {
  let server: Server;
  let sent: Sent;

  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  /** Serves such pieces, so many of them at the most, and opens a request for them. */
  const opened = async (
    make: () => AsyncGenerator<E.Either<typeof FAILURE, Uint8Array>>,
    patienceMs: number,
    bytesPerSecond = 1,
    begin: (response: ServerResponse) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<IncomingMessage> => {
    sent = { outcome: 'under way', pieces: 0, closed: 0 };
    const body: StreamedBody<typeof FAILURE> = {
      pieces: async function* () {
        for await (const piece of make()) {
          sent.pieces += 1;
          yield piece;
        }
      },
      close: () => {
        sent.closed += 1;
        return Promise.resolve();
      },
      pace: { patienceMs, bytesPerSecond },
      revoked: new AbortController().signal,
      halves: 'bad',
    };
    server = createServer((_request, response) => {
      void begin(response)
        .then(() => sendStream(response, body))
        .then((outcome) => (sent.outcome = outcome));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    return new Promise((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, agent: false }, resolve);
      asked.on('error', reject);
      asked.end();
    });
  };

  const finished = (): Promise<typeof FAILURE | CutOff | Left | 'done'> =>
    until(5_000, 'the end of a stream', () =>
      Promise.resolve(sent.outcome === 'under way' ? null : (sent.outcome ?? 'done')),
    );

  const forever = async function* () {
    for (;;) {
      yield PIECE;
      await new Promise(setImmediate);
    }
  };

  it('is cut off where a piece fails, and the failure is told', async () => {
    const response = await opened(async function* () {
      yield PIECE;
      yield E.left(FAILURE);
    }, 1_000);
    const read = async (): Promise<void> => {
      for await (const _part of response) continue;
    };
    expect(
      await read().then(
        () => 'whole',
        () => 'cut off',
      ),
    ).to.equal('cut off');
    expect(await finished()).to.equal(FAILURE);
    expect(sent.closed).to.equal(1);
  });

  it('ends at once where its reader has left before it begins, and gives back what it took', async () => {
    const asked = opened(forever, 60_000, 1, (response) => {
      const left = once(response, 'close');
      response.req.socket.destroy();
      return left;
    });
    expect(await asked.then(String, String)).to.include('socket hang up');
    expect(await finished()).to.deep.equal({ _tag: 'Left' });
    expect(sent.closed).to.equal(1);
  });

  it('waits for its reader with one piece, and cuts off one that takes nothing', async () => {
    const response = await opened(forever, 200);
    response.pause();
    const gone = once(response, 'close');
    response.on('error', () => undefined);
    expect(await finished()).to.have.property('_tag', 'CutOff');
    // What systems buffer of a connection is some MB; an endless stream would have made far more.
    expect(sent.pieces).to.be.below(200);
    expect(sent.closed).to.equal(1);
    response.destroy();
    await gone;
  });

  it('cuts off one that takes a little now and then, slower than it must', async () => {
    const response = await opened(forever, 400, 1_000_000_000);
    response.on('error', () => undefined);
    const gone = once(response, 'close');
    const reading = setInterval(() => void response.read(), 5);
    expect(await finished()).to.deep.equal({
      _tag: 'CutOff',
      reason: 'its reader took less than 1000000000 bytes a second for 0.4 s in all',
    });
    clearInterval(reading);
    response.destroy();
    await gone;
  });

  it('ends its work when the reader leaves', async () => {
    const response = await opened(forever, 60_000);
    await once(response, 'data');
    response.destroy();
    expect(await finished()).to.deep.equal({ _tag: 'Left' });
    expect(sent.closed).to.equal(1);
  });
});
