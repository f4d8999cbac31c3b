import { connect, type Socket } from 'node:net';
import { seeded } from '../fuzz/mutations.ts';

/** Ways in which connections go wrong. */
const WAYS = ['silent', 'slow head', 'head alone', 'slow body', 'cut body', 'idle', 'reset', 'slow reader'] as const;

const HEAD = 'POST /v1/webhooks HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n';
const BODY = `Content-Length: 5000\r\nX-Service-Signature: ${'ab'.repeat(32)}\r\n\r\n`;
const READ = 'GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

const BYTE_EVERY_MS = 500;
/** Then the other end has had enough too: what the ledger did not close by then goes. */
const LONGEST_MS = 30_000;

const trickle = (socket: Socket, text: string): void => {
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || at >= text.length) clearInterval(timer);
    else socket.write(text.charAt(at));
    at += 1;
  }, BYTE_EVERY_MS);
};

const goWrong = (socket: Socket, way: (typeof WAYS)[number], random: () => number): void => {
  switch (way) {
    case 'silent':
      break;
    case 'slow head':
      trickle(socket, HEAD + BODY);
      break;
    case 'head alone':
      socket.write(HEAD + BODY);
      break;
    case 'slow body':
      socket.write(HEAD + BODY);
      trickle(socket, '{"a":1}'.repeat(700));
      break;
    case 'cut body':
      socket.write(`${HEAD}${BODY}{"orderId":`);
      setTimeout(() => socket.destroy(), random() * 200);
      break;
    case 'idle':
      socket.write('GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
      break;
    case 'reset':
      setTimeout(() => socket.resetAndDestroy(), random() * 50);
      break;
    case 'slow reader':
      socket.pause();
      socket.write(READ.repeat(5));
  }
};

/** Opens so many connections a second that go wrong, until it is told to stop; answers how many there were. */
export const badConnections = async (
  url: string,
  perSecond: number,
  seed: number,
  stop: AbortSignal,
): Promise<{ readonly opened: number; readonly refused: number }> => {
  const random = seeded(seed);
  const port = Number(new URL(url).port);
  const open = new Set<Socket>();
  const counts = { opened: 0, refused: 0 };
  const since = performance.now();
  while (!stop.aborted) {
    const due = ((performance.now() - since) / 1_000) * perSecond;
    while (counts.opened < due) {
      counts.opened += 1;
      const way = WAYS[Math.floor(random() * WAYS.length)] ?? 'silent';
      const socket = connect({ port, host: '127.0.0.1' });
      open.add(socket);
      socket.on('connect', () => goWrong(socket, way, random));
      socket.on('error', (error) => {
        if ('code' in error && error.code === 'ECONNREFUSED') counts.refused += 1;
      });
      socket.on('close', () => open.delete(socket));
      setTimeout(() => socket.destroy(), LONGEST_MS).unref();
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  for (const socket of open) socket.destroy();
  return counts;
};
