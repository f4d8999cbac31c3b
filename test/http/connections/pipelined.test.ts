import { expect } from 'chai';
import * as fc from 'fast-check';
import { listen, type HttpServer } from '../../../src/http/http-server.ts';
import { right } from '../../support/right.ts';
import { chunk, head, LAST_CHUNK, openWire } from '../../support/wire.ts';

/** How a request is sent, and whether its connection goes on behind it. */
type Kind = { readonly text: (path: string) => string; readonly isLast: boolean };

const host = 'ledger';

const plain: readonly Kind[] = [
  { text: (path) => head(`GET ${path} HTTP/1.1`, { host }), isLast: false },
  { text: (path) => `${head(`POST ${path} HTTP/1.1`, { host, 'content-length': '3' })}abc`, isLast: false },
  {
    text: (path) =>
      head(`POST ${path} HTTP/1.1`, { host, 'transfer-encoding': 'chunked' }) + chunk(Buffer.from('abc')) + LAST_CHUNK,
    isLast: false,
  },
  {
    text: (path) => `${head(`POST ${path} HTTP/1.1`, { host, 'content-length': '3', expect: '100-continue' })}abc`,
    isLast: false,
  },
];

const last: readonly Kind[] = [
  { text: (path) => head(`GET ${path} HTTP/1.1`, { host, connection: 'close' }), isLast: true },
  { text: (path) => head(`GET ${path} HTTP/1.0`, { host }), isLast: true },
  { text: (path) => head(`GET ${path} HTTP/1.1`, { host, connection: 'upgrade', upgrade: 'h2c' }), isLast: true },
  {
    text: (path) =>
      `${head(`POST ${path} HTTP/1.1`, { host, 'content-length': '3', connection: 'upgrade', upgrade: 'websocket' })}abc`,
    isLast: true,
  },
];

/** What is no request that is heard here, and ends its connection. */
const unheard: readonly string[] = [
  'no HTTP\r\n\r\n',
  head('CONNECT ledger:1 HTTP/1.1', { host }),
  `${head('POST /cut HTTP/1.1', { host, 'transfer-encoding': 'chunked' })}0\r\nContent-Length: 5\r\n\r\n`,
];

/** A packet, or some: requests one behind the other, and perhaps something that is none; cut at any places. */
const sent = fc.record({
  requests: fc.array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...plain) }, fc.constantFrom(...last)), {
    minLength: 1,
    maxLength: 8,
  }),
  behind: fc.option(fc.constantFrom(...unheard)),
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
});

const parts = (text: string, cuts: readonly number[]): readonly string[] => {
  const places = [0, ...cuts.map((cut) => Math.floor(cut * text.length)), text.length].toSorted((a, b) => a - b);
  return places.slice(1).map((place, n) => text.slice(places[n], place));
};

describe('requests that are sent without waiting for answers', () => {
  let server: HttpServer;

  beforeEach(async () => {
    server = right(
      await listen(
        (request, response) => {
          const { url = '' } = request;
          request.on('data', () => undefined);
          request.on('end', () =>
            setImmediate(() => response.writeHead(200, { 'Content-Length': url.length }).end(url)),
          );
        },
        '127.0.0.1',
        0,
        () => 'request-id',
      ),
    );
  });
  afterEach(() => server.close());

  it('are each answered once, in their order, until the last one, whatever they are and however they are cut', () =>
    fc.assert(
      fc.asyncProperty(sent, async ({ requests, behind, cuts }) => {
        const lastAt = requests.findIndex(({ isLast }) => isLast);
        const heard = lastAt === -1 ? requests : requests.slice(0, lastAt + 1);
        const wire = openWire(server.url);
        try {
          const text = requests.map((request, n) => request.text(`/${n}`)).join('') + (behind ?? '');
          for (const part of parts(text, cuts)) {
            wire.write(part);
            // Parts that are written at once come as one.
            await new Promise((resolve) => setImmediate(resolve));
          }
          await wire.answered(heard.length);
          if (lastAt !== -1 || behind !== null) await wire.closed();
          else {
            wire.write(head('GET /next HTTP/1.1', { host }));
            await wire.answered(heard.length + 1);
          }
          const answers = wire.answers();
          expect(answers.slice(0, heard.length).map(({ text: path }) => path)).to.deep.equal(
            heard.map((_, n) => `/${n}`),
          );
          const further = answers.slice(heard.length).map(({ status }) => status);
          // What came when all before it was answered is answered too.
          const allowed = lastAt !== -1 ? [[]] : behind === null ? [[200]] : [[], [400]];
          expect(allowed).to.deep.include(further);
          if (lastAt !== -1 || behind !== null) expect(answers.at(-1)?.headers['connection']).to.equal('close');
        } finally {
          wire.cut();
        }
      }),
      { numRuns: 200 },
    ));
});
