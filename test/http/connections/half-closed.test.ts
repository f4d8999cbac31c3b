import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { listen, type HttpServer } from '../../../src/http/http-server.ts';
import { right } from '../../support/right.ts';
import { head, openWire, type Wire } from '../../support/wire.ts';
import { within } from '../../support/within.ts';

type Asked = readonly [IncomingMessage, ServerResponse];

const HANGS_AFTER_MS = 5_000;
const host = 'ledger';
const delivery = `${head('POST /v1/webhooks HTTP/1.1', { host, 'content-length': 3 })}abc`;
const question = head('GET /v1/orders HTTP/1.1', { host });
const file = `${head('POST /v1/statements HTTP/1.1', { host, 'content-length': 3 })}abc`;

describe('a sender who closes their side of the connection and reads on', () => {
  let server: HttpServer;
  let wires: Wire[];
  let asked: Asked[];
  let tellAsked: () => void;

  beforeEach(async () => {
    [wires, asked, tellAsked] = [[], [], () => undefined];
    const listener = (request: IncomingMessage, response: ServerResponse): void => {
      request.resume();
      asked.push([request, response]);
      tellAsked();
    };
    server = right(await listen(listener, '127.0.0.1', 0, () => 'request-id', { connections: 2 }));
  });
  afterEach(async () => {
    for (const wire of wires) wire.cut();
    for (const [, response] of asked) response.destroy();
    await server.close();
  });

  const send = (text: string): Wire => {
    const wire = openWire(server.url);
    wires.push(wire);
    wire.write(text);
    return wire;
  };
  const heard = async (nth: number): Promise<Asked> => {
    for (;;) {
      const found = asked[nth];
      if (found !== undefined) return found;
      await within(HANGS_AFTER_MS, new Promise<void>((resolve) => (tellAsked = resolve)), `request ${nth}`);
    }
  };
  /** A request that is under way when the end of what its sender has to say is seen. */
  const halfClosedBehind = async (
    text: string,
  ): Promise<{ wire: Wire; response: ServerResponse; gone: Promise<unknown> }> => {
    const wire = send(text);
    const [{ socket }, response] = await heard(asked.length);
    const [ended, gone] = [once(socket, 'end'), once(response, 'close')];
    wire.end();
    await within(HANGS_AFTER_MS, ended, 'the end');
    return { wire, response, gone };
  };

  it('is answered behind a delivery, and the connection ends', async () => {
    const { wire, response } = await halfClosedBehind(delivery);
    response.end('recorded');
    const [answer] = await wire.answered(1);
    expect(answer).to.deep.include({ status: 200, text: 'recorded' });
    expect(answer?.headers['connection']).to.equal('close');
    await wire.closed();
  });

  it('is answered where the answer is under way already', async () => {
    const wire = send(delivery);
    const [{ socket }, response] = await heard(0);
    response.writeHead(200, { 'content-length': 8 }).write('reco');
    const ended = once(socket, 'end');
    wire.end();
    await within(HANGS_AFTER_MS, ended, 'the end');
    response.end('rded');
    expect(await wire.answered(1)).to.have.length(1);
    await wire.closed();
  });

  for (const [name, text] of [
    ['a question', question],
    ['a file', file],
  ] as const) {
    it(`has left behind ${name}, which is told at once`, async () => {
      const { wire, response, gone } = await halfClosedBehind(text);
      await within(HANGS_AFTER_MS, gone, 'the connection to be closed');
      expect(response.writableEnded).to.equal(false);
      await wire.closed();
      expect(wire.received()).to.equal('');
    });
  }

  it('has left behind a question of another connection too, while that behind a delivery stays', async () => {
    const { wire, response } = await halfClosedBehind(delivery);
    const { gone } = await halfClosedBehind(question);
    await within(HANGS_AFTER_MS, gone, 'the connection to be closed');
    response.end('recorded');
    await wire.answered(1);
  });

  it('is told that a delivery is not whole', async () => {
    const wire = send(delivery.slice(0, -1));
    await heard(0);
    wire.end();
    const [answer] = await wire.answered(1);
    expect(answer?.status).to.equal(400);
    await wire.closed();
  });

  it('makes room where there are too many connections, as who has left', async () => {
    const { wire, gone } = await halfClosedBehind(delivery);
    const [second, third] = [send(delivery), send(delivery)];
    await within(HANGS_AFTER_MS, gone, 'the connection to be closed');
    await wire.closed();
    for (const [, response] of [await heard(1), await heard(2)]) response.end('recorded');
    for (const open of [second, third]) await open.answered(1);
  });

  it('is answered where a proxy is asked for behind a delivery', async () => {
    const wire = send(delivery + head('CONNECT example.com:443 HTTP/1.1', { host: 'example.com:443' }));
    const [{ socket }, response] = await heard(0);
    const ended = once(socket, 'end');
    wire.end();
    await within(HANGS_AFTER_MS, ended, 'the end');
    response.end('recorded');
    expect(await wire.answered(1)).to.have.length(1);
    await wire.closed();
  });
});
