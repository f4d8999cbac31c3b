import { connect } from 'node:net';
import type { KnownPlaces } from './known-places.ts';
import { chanceOf, seeded, type Chance } from './mutations.ts';
import { requestSource } from './request-source.ts';

/** What came of requests. */
export type HttpFigures = {
  /** Answers by their status. */
  readonly statuses: Record<number, number>;
  /** Connections that ended without an answer to all that was sent: many do, since what is sent is wrong. */
  unanswered: number;
  /** What must not be, with the bytes that were sent, in base64. */
  readonly faults: string[];
};

export const noFigures = (): HttpFigures => ({ statuses: {}, unanswered: 0, faults: [] });

/** Until then a connection on which nothing more comes ends; a ledger that keeps it for longer hangs. */
const PATIENCE_MS = 30_000;
/** Nothing came for so long: the ledger waits for what was not sent. Then the other end says that it sends no more. */
const QUIET_MS = 100;
/** Fewer than are cut off for being sent without waiting. */
const MOST_TOGETHER = 8;
const MOST_BYTES_SHOWN = 6_000;

type Ended = {
  readonly answer: string;
  /** Whether the ledger kept the connection for longer than anybody waits. */
  readonly isLate: boolean;
  /** Whether the other end was gone before it could be answered. */
  readonly hasLeft: boolean;
};

/** Cuts bytes into pieces that arrive by themselves. */
const pieces = (bytes: Buffer, { below, happens }: Chance): readonly Buffer[] => {
  if (happens(700)) return [bytes];
  const cuts = Array.from({ length: 1 + below(4) }, () => below(bytes.length + 1)).toSorted((a, b) => a - b);
  return [0, ...cuts].map((from, i) => bytes.subarray(from, cuts[i] ?? bytes.length));
};

/** @param isWhole whether all of it must be answered: then that is waited for, however long it takes */
const exchanged = (port: number, bytes: Buffer, isWhole: boolean, chance: Chance): Promise<Ended> =>
  new Promise((resolve) => {
    let answer = '';
    let isLate = false;
    // One that is gone before it can be answered: the ledger is left with an answer for nobody.
    const hasLeft = chance.happens(20);
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const patience = setTimeout(() => {
      // Live events go on to whoever says no more, and still reads them.
      isLate = !answer.includes('text/event-stream');
      socket.destroy();
    }, PATIENCE_MS);
    const quiet = setTimeout(() => {
      if (isWhole && !answer.includes('text/event-stream')) quiet.refresh();
      else socket.end();
    }, QUIET_MS);
    const waiting = [...pieces(bytes, chance)];
    const send = (): void => {
      const piece = waiting.shift();
      if (piece === undefined || socket.destroyed) return;
      socket.write(piece, () => {
        if (hasLeft && waiting.length === 0) socket.resetAndDestroy();
        else setImmediate(send);
      });
    };
    socket.on('connect', send);
    socket.on('data', (part: Buffer) => {
      answer += part.toString('latin1');
      // Live events may come without a pause.
      if (!answer.includes('text/event-stream')) quiet.refresh();
    });
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.end());
    socket.on('close', () => {
      clearTimeout(patience);
      clearTimeout(quiet);
      resolve({ answer, isLate, hasLeft });
    });
  });

export type HttpFuzzing = {
  readonly inputs: number;
  /** Connections. */
  readonly atOnce: number;
  readonly seed: number;
  /** Of a thousand connections those that bring keys, and ask for what costs something. */
  readonly deepInThousand: number;
};

/** Sends so many requests from so many connections at once, the same ones for the same seed, and notes what came of them. */
export const fuzzHttp = async (
  url: string,
  places: KnownPlaces,
  { inputs, atOnce, seed, deepInThousand }: HttpFuzzing,
  figures: HttpFigures = noFigures(),
): Promise<HttpFigures> => {
  const port = Number(new URL(url).port);
  const chance = chanceOf(seeded(seed));
  const next = requestSource(places, chance);
  let sent = 0;
  const sender = async (): Promise<void> => {
    while (sent < inputs) {
      const isDeep = chance.happens(deepInThousand);
      const together = chance.happens(isDeep ? 700 : 200) ? 1 : 1 + chance.below(MOST_TOGETHER);
      sent += together;
      const requests = Array.from({ length: together }, (_, i) => next(isDeep, i === together - 1));
      const bytes = Buffer.concat(requests.map((request) => request.bytes));
      const isWhole = requests.every((request) => request.isWhole);
      const { answer, isLate, hasLeft } = await exchanged(port, bytes, isWhole, chance);
      const shown = bytes.subarray(0, MOST_BYTES_SHOWN).toString('base64');
      const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
      for (const status of statuses) {
        figures.statuses[status] = (figures.statuses[status] ?? 0) + 1;
        if (status >= 500 && status !== 503) figures.faults.push(`answered ${status}: ${shown}`);
      }
      if (isLate) figures.faults.push(`hangs: ${shown}`);
      if (statuses.length < together) figures.unanswered += 1;
      // An answer that closes the connection, or has no end, is the last one.
      const isDue = isWhole && !hasLeft && !/^(?:Connection: close|Content-Type: text\/event-stream)/im.test(answer);
      if (isDue) figures.faults.push(`answered ${statuses.length} of ${together}: ${shown}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  return figures;
};
