import { connect } from 'node:net';
import { bodyOf, onRamp, signatureOf } from '../../support/payloads.ts';
import { within } from '../../support/within.ts';
import { mutator, seeded } from './mutations.ts';

const body = bodyOf(onRamp({ orderId: 'fuzzed' }));

const REQUESTS = [
  'GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n',
  'GET /v1/orders?limit=1&from=2026-01-01 HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer KEY\r\n\r\n',
  'GET http://127.0.0.1/v1/orders/a%2Fb HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/csv;q=0.5, */*\r\n\r\n',
  'HEAD / HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ramp-ledger-session=a.1.b.c\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
  'POST /console/sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 7\r\n\r\nkey=abc',
  'POST /v1/webhooks HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n',
  `POST /v1/webhooks HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nX-Service-Signature: ${signatureOf(body)}\r\nContent-Length: ${body.length}\r\n\r\n${body.toString()}`,
  'GET /console/orders HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: 100-continue\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n',
].map((text) => Buffer.from(text));

const PATIENCE_MS = 20_000;

/** Sends bytes, says that no more come, and reads what is answered until the connection ends. */
const exchanged = (port: number, bytes: Buffer): Promise<string> =>
  within(
    PATIENCE_MS,
    new Promise((resolve) => {
      let answer = '';
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.end(bytes));
      socket.on('data', (part: Buffer) => (answer += part.toString('latin1')));
      socket.on('error', () => resolve(answer)).on('close', () => resolve(answer));
      socket.on('end', () => socket.destroy());
    }),
    'an answer to a request that was fuzzed',
  );

/**
 * Sends so many requests that were changed at random; answers those that the ledger took for a fault of its own.
 *
 * @param together how many go one behind the other on a connection: the bytes of each meet what the one before left
 */
export const fuzzHttp = async (
  url: string,
  inputs: number,
  atOnce: number,
  seed: number,
  together = 1,
): Promise<readonly string[]> => {
  const port = Number(new URL(url).port);
  const next = mutator(REQUESTS, seeded(seed));
  const faults: string[] = [];
  let sent = 0;
  const sender = async (): Promise<void> => {
    while (sent < inputs) {
      sent += together;
      const bytes = Buffer.concat(Array.from({ length: together }, next));
      const answer = await exchanged(port, bytes);
      if (/^HTTP\/1\.1 5(?!03)/m.test(answer)) faults.push(`${answer.slice(0, 40)}: ${bytes.toString('base64')}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  return faults;
};
