import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { HeldByPeers } from '../../../src/http/connections/held-by-peers.ts';
import { InTurn } from '../../../src/http/connections/in-turn.ts';
import { listen, type HttpServer } from '../../../src/http/http-server.ts';
import { exchange } from '../../support/exchange.ts';
import { right } from '../../support/right.ts';
import { until } from '../../support/until.ts';
import { head, openWire, type Wire } from '../../support/wire.ts';

const MOST_WAITING = 32;

const requests = (count: number): string =>
  Array.from({ length: count }, (_, n) => head(`GET /${n} HTTP/1.1`, { host: 'ledger' })).join('');

/** Told of the address of each request that Node's parser makes, heard or not, until it is stopped. */
const whenRead = (tell: (url: string) => void): (() => void) => {
  const { prototype } = IncomingMessage;
  const inner: unknown = Reflect.get(prototype, '_addHeaderLines');
  if (typeof inner !== 'function') throw new Error('Node reads requests otherwise now');
  Reflect.set(prototype, '_addHeaderLines', function read(this: IncomingMessage, ...given: unknown[]) {
    tell(this.url ?? '');
    const made: unknown = Reflect.apply(inner, this, given);
    return made;
  });
  return () => Reflect.set(prototype, '_addHeaderLines', inner);
};

describe('requests of one connection', () => {
  let server: HttpServer;
  let wire: Wire;
  let heard: string[];
  let held: ServerResponse[];

  beforeEach(async () => {
    heard = [];
    held = [];
    server = right(
      await listen(
        ({ url = '' }, response) => {
          heard.push(url);
          if (url === '/other') response.end('other');
          else held.push(response);
        },
        '127.0.0.1',
        0,
        () => 'request-id',
      ),
    );
    wire = openWire(server.url);
  });
  afterEach(async () => {
    wire.cut();
    await server.close();
  });

  const isHeard = (url: string): Promise<unknown> =>
    until(5_000, url, () => Promise.resolve(heard.includes(url) ? true : null));

  it('are heard one after the other, each when the one before is answered', async () => {
    wire.write(requests(3));
    await isHeard('/0');
    expect((await exchange(server.url, { path: '/other' })).text).to.equal('other');
    expect(heard).to.deep.equal(['/0', '/other']);
    held[0]?.end('0');
    await isHeard('/1');
    expect((await exchange(server.url, { path: '/other' })).text).to.equal('other');
    expect(heard).to.deep.equal(['/0', '/other', '/1', '/other']);
    held[1]?.end('1');
    await isHeard('/2');
    held[2]?.end('2');
    expect((await wire.answered(3)).map(({ text }) => text)).to.deep.equal(['0', '1', '2']);
  });

  it('may be so many that nobody asks at once; one more cuts them off', async () => {
    wire.write(requests(1 + MOST_WAITING));
    for (let answered = 0; answered <= MOST_WAITING; answered += 1) {
      await isHeard(`/${answered}`);
      held[answered]?.end('one');
    }
    await wire.answered(1 + MOST_WAITING);
    wire.write(requests(1 + MOST_WAITING + 1));
    await wire.closed();
    expect(heard).to.have.length.at.most(1 + MOST_WAITING + 1);
  });

  it('are not even read any further, however many came in one packet', async () => {
    let read = 0;
    const stop = whenRead(() => (read += 1));
    try {
      wire.write(requests(1_500));
      await wire.closed();
      // The first, those that wait, the one too many; one at which the parser stops.
      expect(read).to.be.within(1 + MOST_WAITING, 1 + MOST_WAITING + 2);
    } finally {
      stop();
    }
  });

  it('are nothing to Node before they are heard, so that there is nothing to end where their connection does', async () => {
    let made = 0;
    const count = (): void => void (made += 1);
    subscribe('http.server.request.start', count);
    try {
      wire.write(requests(1 + MOST_WAITING));
      await isHeard('/0');
      await exchange(server.url, { path: '/other' });
      expect(made, 'the first and the other').to.equal(2);
      held[0]?.end('0');
      await isHeard('/1');
      expect(made).to.equal(3);
      const late = openWire(server.url);
      late.write(requests(1 + MOST_WAITING + 1));
      await late.closed();
      expect(made).to.equal(4);
    } finally {
      unsubscribe('http.server.request.start', count);
    }
  });

  it('that have more than they may in one moment are ended in shares of a turn, and hold nothing meanwhile', async () => {
    const all = new HeldByPeers(33_554_432);
    const hear = new InTurn(all, () => false).heard(() => undefined);
    const sockets = Array.from({ length: 300 }, () => new Socket());
    for (const socket of sockets) {
      for (let n = 0; n <= 1 + MOST_WAITING; n += 1) {
        const request = new IncomingMessage(socket);
        hear(request, new ServerResponse(request));
      }
    }
    const ended = (): number => sockets.filter(({ destroyed }) => destroyed).length;
    expect(ended()).to.be.within(1, 10);
    expect(all.left).to.equal(33_554_432);
    await until(10_000, 'all of them', () => Promise.resolve(ended() === sockets.length ? true : null));
  });

  it('are answered as far as they are whole where what comes behind them can not be read', async () => {
    wire.write(`${requests(3)}no HTTP\r\n\r\n`);
    for (let answered = 0; answered < 3; answered += 1) {
      await isHeard(`/${answered}`);
      held[answered]?.end(String(answered));
    }
    await wire.closed();
    expect(wire.answers().map(({ text }) => text)).to.deep.equal(['0', '1', '2']);
  });

  it('are answered in their order where the last asks for another protocol, which is none that is known here', async () => {
    const [host, length] = ['ledger', '3'];
    const body = `${head('POST /1 HTTP/1.1', { host, 'content-length': length })}abc`;
    wire.write(requests(1) + body + head('GET /2 HTTP/1.1', { host, connection: 'upgrade', upgrade: 'h2c' }));
    for (let answered = 0; answered < 3; answered += 1) {
      await isHeard(`/${answered}`);
      held[answered]?.end(String(answered));
    }
    expect((await wire.answered(3)).map(({ text }) => text)).to.deep.equal(['0', '1', '2']);
    await wire.closed();
  });

  it('are answered though the server is closed while they wait', async () => {
    wire.write(requests(3));
    await isHeard('/0');
    const closed = server.close();
    for (let answered = 0; answered < 3; answered += 1) {
      await isHeard(`/${answered}`);
      held[answered]?.end(String(answered));
    }
    expect((await wire.answered(3)).map(({ text }) => text)).to.deep.equal(['0', '1', '2']);
    await closed;
  });

  it('may take so much memory while they wait, of which a short header takes a hundred bytes', async () => {
    const short = Object.fromEntries(Array.from({ length: 98 }, (_, n) => [`x${n}`, '']));
    const other = openWire(server.url);
    other.write(head('GET /first HTTP/1.1', { host: 'ledger', ...short }).repeat(12));
    await other.closed();
    other.cut();
    // Three of them are a few.
    wire.write(head('GET /held HTTP/1.1', { host: 'ledger', ...short }).repeat(4));
    for (let answered = 1; answered <= 4; answered += 1) {
      await until(5_000, 'a request', () =>
        Promise.resolve(heard.filter((url) => url === '/held').length === answered ? true : null),
      );
      held.at(-1)?.end('held');
    }
    await wire.answered(4);
  });

  it('are read no further than the packet that they came in while any of them waits, whatever is answered meanwhile', async () => {
    const read: string[] = [];
    const stop = whenRead((url) => {
      if (/^\/\d$/.test(url)) read.push(url);
    });
    try {
      wire.write(requests(3));
      await isHeard('/0');
      wire.write(requests(5));
      const othersAreHeard = async (): Promise<void> => {
        for (let n = 0; n < 20; n += 1) await exchange(server.url, { path: '/other' });
      };
      await othersAreHeard();
      expect(read).to.deep.equal(['/0', '/1', '/2']);
      // More than a connection takes at once: Node reads on when it has gone.
      const large = 'a'.repeat(8_000_000);
      held[0]?.write(large);
      await until(10_000, 'what was written', () =>
        Promise.resolve(wire.received().length > large.length ? true : null),
      );
      await othersAreHeard();
      expect(read).to.deep.equal(['/0', '/1', '/2']);
      held[0]?.end();
      await isHeard('/1');
      held[1]?.end();
      await until(5_000, 'the others', () => Promise.resolve(read.length === 8 ? true : null));
    } finally {
      stop();
    }
  });

  it('are not heard behind its last answer, while that is still being sent', () => {
    const hear = new InTurn(new HeldByPeers(1_048_576), () => false).heard(({ url = '' }) => heard.push(url));
    const socket = new Socket();
    socket.end('the last answer');
    expect([socket.writable, socket.destroyed]).to.deep.equal([false, false]);
    const request = new IncomingMessage(socket);
    hear(request, new ServerResponse(request));
    expect(heard).to.deep.equal([]);
    socket.destroy();
  });

  it('that waited are not heard behind an answer that is the last of their connection', async () => {
    const answers: ServerResponse[] = [];
    const turns = new InTurn(new HeldByPeers(1_048_576), () => false);
    const hear = turns.heard((_, response) => answers.push(response));
    // What it is to send is never through.
    const socket = Object.assign(new Socket(), { _write: () => undefined });
    for (let n = 0; n < 3; n += 1) {
      const request = new IncomingMessage(socket);
      hear(request, new ServerResponse(request));
    }
    answers[0]?.emit('close');
    await until(5_000, 'the second', () => Promise.resolve(answers.length === 2 ? true : null));
    socket.end('the last answer');
    answers[1]?.emit('close');
    expect([socket.writable, socket.destroyed]).to.deep.equal([false, false]);
    for (let turns = 0; turns < 3; turns += 1) await new Promise(setImmediate);
    expect(answers).to.have.length(2);
    socket.destroy();
  });

  it('give back what they took when they are heard', async () => {
    const large = head('GET /large HTTP/1.1', { host: 'ledger', 'x-large': 'a'.repeat(15_000) });
    for (let n = 0; n < 4; n += 1) {
      wire.write(large.repeat(3));
      for (let answered = 1; answered <= 3; answered += 1) {
        await until(5_000, 'a request', () => Promise.resolve(held.length === 3 * n + answered ? true : null));
        held.at(-1)?.end('large');
      }
      await wire.answered(3 * (n + 1));
    }
  });
});
