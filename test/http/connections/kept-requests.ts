// node --expose-gc test/http/connections/kept-requests.ts LINES: what Node keeps of a request with so many short headers that
// nobody has heard, in bytes as JSON: the medians of some rounds. A process of its own, so that nothing else is on its heap.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { memoryOfRequest } from '../../../src/http/connections/memory-of-request.ts';
import { createServer } from '../../../src/http/node-http.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { until } from '../../support/until.ts';
import { head } from '../../support/wire.ts';

const COUNT = 2_000;
const IN_A_PACKET = 20;
const ROUNDS = 3;
const HANGS_AFTER_MS = 60_000;

const lines = Number(process.argv[2]);
const short = Object.fromEntries(Array.from({ length: lines }, (_, n) => [`x${n}`, '']));
const packet = head('GET /livez HTTP/1.1', { host: 'a', ...short }).repeat(IN_A_PACKET);

const kept: [IncomingMessage, ServerResponse][] = [];
const server = createServer({}, (request, response) => kept.push([request, response]));
const closed = new Set<Promise<unknown>>();
server.on('connection', (socket: Socket) => {
  const { promise, resolve } = Promise.withResolvers<null>();
  socket.once('close', () => resolve(null));
  closed.add(promise);
});
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});
const address = server.address();
const port = typeof address === 'object' && address !== null ? address.port : 0;

/** Bytes that the heap has grown by for each of the requests. */
const round = async (): Promise<number> => {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const sockets: Socket[] = [];
  for (let n = 0; n < COUNT; n += IN_A_PACKET) {
    const socket = connect({ host: '127.0.0.1', port });
    sockets.push(socket);
    socket.write(packet);
  }
  await until(HANGS_AFTER_MS, 'all requests', () => Promise.resolve(kept.length === COUNT ? true : null));
  collectGarbage();
  const each = (process.memoryUsage().heapUsed - before) / COUNT;
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  await Promise.all(closed);
  closed.clear();
  return each;
};

// What the first one has compiled stays.
await round();
const [first] = kept;
if (first === undefined) throw new Error('no request');
const reckoned = memoryOfRequest(first[0]);
const rounds: number[] = [];
while (rounds.length < ROUNDS) {
  kept.length = 0;
  rounds.push(await round());
}
server.close();
const measured = rounds.toSorted((a, b) => a - b)[(ROUNDS - 1) / 2];
process.stdout.write(JSON.stringify({ measured, reckoned, rounds }));
