import { IncomingMessage, type RequestListener } from 'node:http';
import { connect, Socket } from 'node:net';
import { expect } from 'chai';
import { boundedChunks } from '../../../src/http/connections/bounded-chunks.ts';
import { listen, type HttpServer } from '../../../src/http/http-server.ts';
import { bodyProved } from '../../../src/http/connections/proved-bodies.ts';
import { SmallChunks } from '../../../src/http/connections/small-chunks.ts';
import { exchange } from '../../support/exchange.ts';
import { right } from '../../support/right.ts';
import { until } from '../../support/until.ts';
import { chunk, head, LAST_CHUNK, openWire, type Wire } from '../../support/wire.ts';

/** More than all bodies may have at once, as one write. */
const TOO_MANY = 50_000;
const MOST = 8_192;
const MORE_EACH_MS = 16;
/** What each body may have whatever others have, and one more for so many bytes. */
const OF_ANY_BODY = 64;
const BYTES_OF_ONE = 256;

/** The small chunks that so many bodies may have together by now; they are bounded by the clock, so a busy machine takes more. */
const mostSince = (began: number, together: number): number =>
  MOST + (performance.now() - began) * MORE_EACH_MS + together * (OF_ANY_BODY + TOO_MANY / BYTES_OF_ONE);

const small = (count: number): string => '1\r\na\r\n'.repeat(count);
const post = (path: string): string =>
  head(`POST ${path} HTTP/1.1`, { host: 'ledger', 'transfer-encoding': 'chunked' });

/** A body as it was read: its pieces, and whether it came to its end. */
type Body = { pieces: number; size: number; isWhole: boolean; isCut: boolean; readonly request: IncomingMessage };

describe('a body in chunks', () => {
  let server: HttpServer;
  let bodies: Body[];
  let held: (() => void) | null = null;
  const wires: Wire[] = [];
  const listener: RequestListener = (request, response) => {
    const body: Body = { pieces: 0, size: 0, isWhole: false, isCut: false, request };
    bodies.push(body);
    if (request.url === '/unread') {
      response.writeHead(404, { 'Content-Length': 4 }).end('none');
      return;
    }
    if (request.url === '/held') {
      held = () => response.end('held');
      return;
    }
    if (request.url === '/proved') bodyProved(request);
    request.on('data', (piece: Buffer) => {
      body.pieces += 1;
      body.size += piece.length;
    });
    request.on('end', () => {
      body.isWhole = true;
      response.end(String(body.size));
    });
    request.on('close', () => (body.isCut = !body.isWhole));
  };
  const open = (): Wire => {
    const wire = openWire(server.url);
    wires.push(wire);
    return wire;
  };

  beforeEach(async () => {
    bodies = [];
    held = null;
    server = right(await listen(listener, '127.0.0.1', 0, () => 'request-id'));
  });
  afterEach(async () => {
    for (const wire of wires.splice(0)) wire.cut();
    await server.close();
  });

  it('of one byte each is handed on no further than all of them may have, is never whole, and is answered 413', async () => {
    const wire = open();
    const began = performance.now();
    wire.write(post('/') + small(TOO_MANY) + LAST_CHUNK);
    const [answer] = await wire.answered(1);
    expect(answer?.status).to.equal(413);
    expect(JSON.parse(answer?.text ?? '')).to.include({ code: 'body-too-large', requestId: 'request-id' });
    await wire.closed();
    await until(5_000, 'its end', () => Promise.resolve(bodies[0]?.isCut === true ? true : null));
    expect(bodies[0]?.pieces).to.be.within(MOST, mostSince(began, 1));
    expect(bodies[0]?.isWhole).to.equal(false);
  });

  it('that ends in the very read in which it has too many is not whole either', async () => {
    const first = open();
    first.write(post('/') + small(TOO_MANY));
    await first.closed();
    // What is left for all is little now, so that 900 are too many, all of which one read holds.
    const wire = open();
    wire.write(post('/') + small(9_000) + LAST_CHUNK + head('GET /behind HTTP/1.1', { host: 'ledger' }));
    expect((await wire.answered(1)).map(({ status }) => status)).to.deep.equal([413]);
    await wire.closed();
    expect(wire.answers()).to.have.length(1);
    expect(bodies.map(({ isWhole }) => isWhole)).to.deep.equal([false, false]);
  });

  it('is bounded for all of them together, and those in large chunks, or in few, are taken meanwhile', async () => {
    const flood = Array.from({ length: 10 }, () => open());
    const began = performance.now();
    for (const wire of flood) wire.write(post('/') + small(TOO_MANY));
    for (const wire of flood) await wire.closed();
    expect(bodies.reduce((sum, { pieces }) => sum + pieces, 0)).to.be.at.most(mostSince(began, flood.length));
    const wire = open();
    const large = chunk(Buffer.alloc(256, 'a'));
    wire.write(
      Buffer.concat([Buffer.from(post('/')), ...Array.from({ length: 4_000 }, () => large), Buffer.from(LAST_CHUNK)]),
    );
    wire.write(post('/') + small(64) + LAST_CHUNK);
    expect((await wire.answered(2)).map(({ text }) => text)).to.deep.equal([String(256 * 4_000), '64']);
  });

  const inLines = (count: number, bytes: number): Buffer => {
    const line = chunk(Buffer.alloc(bytes, 'a'));
    return Buffer.concat(Array.from({ length: count }, () => line));
  };

  it('of somebody who has shown a valid key may be a file line by line, which is read no faster than all such may come', async () => {
    const [lines, bytes] = [20_000, 100];
    const wires = Array.from({ length: 3 }, () => open());
    const began = performance.now();
    for (const wire of wires) wire.write(Buffer.concat([Buffer.from(post('/proved')), inLines(lines, bytes)]));
    const unproved = open();
    unproved.write(post('/') + small(1_000) + LAST_CHUNK);
    expect(
      (await unproved.answered(1)).map(({ text }) => text),
      'what anybody may send is none of it',
    ).to.deep.equal(['1000']);
    for (const wire of wires) {
      wire.write(`${LAST_CHUNK}${head('GET /unread HTTP/1.1', { host: 'ledger' })}`);
      expect((await wire.answered(2)).map(({ text }) => text)).to.deep.equal([String(lines * bytes), 'none']);
    }
    const beyond = wires.length * lines * (1 - bytes / 256) - MOST;
    expect(performance.now() - began).to.be.at.least(beyond / 16 - 100);
  });

  it('of less than lines is refused whatever its sender has shown, and those that are cut off while they wait hold nobody up', async () => {
    const waiting = open();
    waiting.write(Buffer.concat([Buffer.from(post('/proved')), inLines(40_000, 16)]));
    await until(5_000, 'a part of it', () => Promise.resolve((bodies[0]?.pieces ?? 0) > MOST ? true : null));
    waiting.cut();
    const wire = open();
    wire.write(post('/proved') + small(TOO_MANY) + LAST_CHUNK);
    expect((await wire.answered(1)).map(({ status }) => status)).to.deep.equal([413]);
    await wire.closed();
    const next = open();
    next.write(Buffer.concat([Buffer.from(post('/proved')), inLines(10_000, 16), Buffer.from(LAST_CHUNK)]));
    expect((await next.answered(1)).map(({ text }) => text)).to.deep.equal(['160000']);
  });

  it('is bounded where nobody reads it, without a second answer', async () => {
    const wire = open();
    wire.write(post('/unread'));
    await wire.answered(1);
    wire.write(small(TOO_MANY));
    await wire.closed();
    expect(wire.answers().map(({ status }) => status)).to.deep.equal([404]);
  });

  it('is answered behind what came whole before it, never in its place: its sender would take one for the other', async () => {
    const wire = open();
    wire.write(`${head('GET /held HTTP/1.1', { host: 'ledger' })}${post('/')}${small(TOO_MANY)}`);
    const answer = await until(5_000, 'the first request', () => Promise.resolve(held));
    // Others have used up what there is by then, so that it was refused before.
    const other = open();
    other.write(post('/') + small(TOO_MANY));
    await other.closed();
    wire.write(small(1_000_000));
    const another = open();
    another.write(post('/') + small(TOO_MANY));
    await another.closed();
    // What is refused is not read on while an answer before it is waited for: of 6 MB only what came at first is.
    expect(bodies[0]?.request.socket.bytesRead).to.be.lessThan(500_000);
    answer();
    await wire.closed();
    const [whole, ...behind] = wire.answers();
    expect([whole?.status, whole?.text]).to.deep.equal([200, 'held']);
    // Where there was room again, since all of this took its time, it is refused when it is its turn.
    expect(behind.map(({ status }) => status)).to.be.deep.oneOf([[], [413]]);
  });

  it('leaves the next connection, which Node reads with the same parser, all of its body', async () => {
    const wire = open();
    wire.write(post('/') + small(TOO_MANY));
    await wire.closed();
    for (const body of [Buffer.from('whole'), Buffer.alloc(300_000, 'a')]) {
      const { text } = await exchange(server.url, { method: 'POST', path: '/', body });
      expect(text).to.equal(String(body.length));
    }
  });

  it('of a known length comes in as small pieces as the network makes of it', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const first = open();
    first.write(post('/') + small(TOO_MANY));
    await first.closed();
    socket.write(head('POST / HTTP/1.1', { host: 'ledger', 'content-length': 70 }));
    for (let sent = 1; sent <= 70; sent += 1) {
      socket.write('a');
      await until(5_000, 'a byte', () => Promise.resolve(bodies[1]?.size === sent ? true : null));
    }
    await until(5_000, 'the whole body', () => Promise.resolve(bodies[1]?.isWhole === true ? true : null));
    socket.destroy();
  });
});

/** As much of Node's parser as is looked at; it counts what it is left to hand on. */
class Parser {
  static readonly kOnBody = 3;
  incoming: IncomingMessage | null = null;
  handedOn = 0;
  3: ((chunk: Buffer) => void) | null = () => {
    this.handedOn += 1;
  };
}

describe('a parser', () => {
  const one = Buffer.from('a');
  const heardBy = (parser: Parser, headers: Readonly<Record<string, string>>): IncomingMessage => {
    const request = new IncomingMessage(Object.assign(new Socket(), { parser }));
    parser.incoming = request;
    return Object.assign(request, { headers });
  };
  const scene = () => {
    const refused: IncomingMessage[] = [];
    const read = boundedChunks((request) => refused.push(request));
    const begin = (parser: Parser, headers: Readonly<Record<string, string>>): void => {
      read(heardBy(parser, headers));
    };
    return { refused, begin };
  };
  const refuse = (parser: Parser, begin: ReturnType<typeof scene>['begin']): void => {
    begin(parser, { 'transfer-encoding': 'chunked' });
    for (let n = 0; n < TOO_MANY && parser[3] !== null; n += 1) parser[3](one);
    expect(parser[3], 'what it hands chunks to').to.equal(null);
  };

  it('that a connection left in the turn in which its body was refused gives the next one all of its body', () => {
    const parser = new Parser();
    const { begin } = scene();
    refuse(parser, begin);
    const before = parser.handedOn;
    begin(parser, { 'content-length': '1' });
    parser[3]?.(one);
    expect(parser.handedOn).to.equal(before + 1);
  });

  it('hands on nothing more of a body that was refused, which is told once, however much still comes', async () => {
    const parser = new Parser();
    const { refused, begin } = scene();
    refuse(parser, begin);
    const before = parser.handedOn;
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise(setImmediate);
      for (let n = 0; n < MOST; n += 1) parser[3]?.(one);
    }
    await new Promise(setImmediate);
    expect(refused).to.have.length(1);
    expect(parser.handedOn).to.equal(before);
  });
});

describe('small chunks', () => {
  it('of all bodies are so many at once, and more as time passes; large ones are any number', () => {
    let nowMs = 0;
    const chunks = new SmallChunks(() => nowMs);
    const taken = (): number => {
      let count = 0;
      while (chunks.mayHave(65, 65)) count += 1;
      return count;
    };
    expect(taken()).to.equal(MOST);
    expect([chunks.mayHave(64, 64), chunks.mayHave(1_064, 256_000), chunks.mayHave(1_065, 256_000)]).to.deep.equal([
      true,
      true,
      false,
    ]);
    nowMs += 10;
    expect(taken()).to.equal(160);
    nowMs += 1_000_000;
    expect(taken()).to.equal(MOST);
  });
});
