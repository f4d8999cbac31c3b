import { expect } from 'chai';
import * as fc from 'fast-check';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen, type HttpServer } from '../../../src/http/http-server.ts';
import { right } from '../../support/right.ts';
import { chunk, head, LAST_CHUNK, openWire } from '../../support/wire.ts';

/** How a request is sent, whether it may be a delivery, and whether its connection goes on behind it. */
type Kind = { readonly text: (path: string) => string; readonly isPosted: boolean; readonly isLast: boolean };

const host = 'ledger';

const plain: readonly Kind[] = [
  { text: (path) => head(`GET ${path} HTTP/1.1`, { host }), isPosted: false, isLast: false },
  {
    text: (path) => `${head(`POST ${path} HTTP/1.1`, { host, 'content-length': '3' })}abc`,
    isPosted: true,
    isLast: false,
  },
  {
    text: (path) =>
      head(`POST ${path} HTTP/1.1`, { host, 'transfer-encoding': 'chunked' }) + chunk(Buffer.from('abc')) + LAST_CHUNK,
    isPosted: true,
    isLast: false,
  },
  {
    text: (path) => `${head(`POST ${path} HTTP/1.1`, { host, 'content-length': '3', expect: '100-continue' })}abc`,
    isPosted: true,
    isLast: false,
  },
];

const last: readonly Kind[] = [
  { text: (path) => head(`GET ${path} HTTP/1.1`, { host, connection: 'close' }), isPosted: false, isLast: true },
  { text: (path) => head(`GET ${path} HTTP/1.0`, { host }), isPosted: false, isLast: true },
  {
    text: (path) => head(`GET ${path} HTTP/1.1`, { host, connection: 'upgrade', upgrade: 'h2c' }),
    isPosted: false,
    isLast: true,
  },
  {
    text: (path) =>
      `${head(`POST ${path} HTTP/1.1`, { host, 'content-length': '3', connection: 'upgrade', upgrade: 'websocket' })}abc`,
    isPosted: true,
    isLast: true,
  },
];

/** What is no request that is heard here, and ends its connection. */
const unheard: readonly string[] = [
  'no HTTP\r\n\r\n',
  head('CONNECT ledger:1 HTTP/1.1', { host }),
  `${head('POST /cut HTTP/1.1', { host, 'transfer-encoding': 'chunked' })}0\r\nContent-Length: 5\r\n\r\n`,
];

/** Where requests are sent to, by their numbers; what is posted to the second one is a delivery. */
const addresses: readonly ((n: number) => string)[] = [(n) => `/${n}`, (n) => `/v1/webhooks?${n}`];

const request = fc
  .tuple(
    fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...plain) }, fc.constantFrom(...last)),
    fc.nat({ max: addresses.length - 1 }),
  )
  .map(([{ text, isPosted, isLast }, address]) => {
    const path = (n: number): string => addresses[address]?.(n) ?? '';
    return { text: (n: number) => text(path(n)), path, isLast, isDelivery: isPosted && address === 1 };
  });

/** A packet, or some: requests one behind the other, and perhaps something that is none; cut at any places. */
const sent = fc.record({
  requests: fc.array(request, { minLength: 1, maxLength: 8 }),
  /** Whether the sender closes their side behind all of it. */
  isHalfClosed: fc.boolean(),
  /** Turns of the loop that each answer takes. */
  turns: fc.nat({ max: 6 }),
  behind: fc.option(fc.constantFrom(...unheard)),
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
});

const parts = (text: string, cuts: readonly number[]): readonly string[] => {
  const places = [0, ...cuts.map((cut) => Math.floor(cut * text.length)), text.length].toSorted((a, b) => a - b);
  return places.slice(1).map((place, n) => text.slice(places[n], place));
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('requests that are sent without waiting for answers', () => {
  let server: HttpServer;
  let turnsOfAnswer: number;

  beforeEach(async () => {
    turnsOfAnswer = 0;
    const answer = async ({ url = '' }: IncomingMessage, response: ServerResponse): Promise<void> => {
      for (let n = 0; n <= turnsOfAnswer; n += 1) await turn();
      response.writeHead(200, { 'Content-Length': url.length }).end(url);
    };
    server = right(
      await listen(
        (asked, response) => asked.on('data', () => undefined).on('end', () => void answer(asked, response)),
        '127.0.0.1',
        0,
        () => 'request-id',
      ),
    );
  });
  afterEach(() => server.close());

  it('are each answered once, in their order, until the last one, whatever they are and however they are cut', () =>
    fc.assert(
      fc.asyncProperty(sent, async ({ requests, behind, cuts, isHalfClosed, turns }) => {
        turnsOfAnswer = turns;
        const lastAt = requests.findIndex(({ isLast }) => isLast);
        const heard = lastAt === -1 ? requests : requests.slice(0, lastAt + 1);
        const isEnd = lastAt !== -1 || behind !== null;
        const wire = openWire(server.url);
        try {
          const text = requests.map((one, n) => one.text(n)).join('') + (behind ?? '');
          for (const part of parts(text, cuts)) {
            wire.write(part);
            // Parts that are written at once come as one.
            await turn();
          }
          if (isHalfClosed) wire.end();
          else await wire.answered(heard.length);
          if (isEnd || isHalfClosed) await wire.closed();
          else {
            wire.write(head('GET /next HTTP/1.1', { host }));
            await wire.answered(heard.length + 1);
          }
          const answers = wire.answers();
          // Who closes their side behind anything but a delivery may have left: the last one is answered or not.
          const isLastOwed = !isHalfClosed || heard.at(-1)?.isDelivery === true;
          const answered = isLastOwed || answers.length >= heard.length ? heard : heard.slice(0, -1);
          expect(answers.slice(0, heard.length).map(({ text: path }) => path)).to.deep.equal(
            answered.map(({ path }, n) => path(n)),
          );
          const further = answers.slice(heard.length).map(({ status }) => status);
          // What came when all before it was answered is answered too.
          const allowed = lastAt !== -1 ? [[]] : behind === null ? [isHalfClosed ? [] : [200]] : [[], [400]];
          expect(allowed).to.deep.include(further);
          if (isEnd && answered === heard) expect(answers.at(-1)?.headers['connection']).to.equal('close');
        } finally {
          wire.cut();
        }
      }),
      { numRuns: 300 },
    ));
});
