import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';

/** A request as it came. */
export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** What is answered: `silence` never answers, `drop` ends the connection, `broken` in the middle of the body. */
export type Reply =
  | 'silence'
  | 'drop'
  | 'broken'
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Buffer;
    };

/** A provider on loopback that answers by a script. */
export type ScriptedUpstream = {
  readonly url: string;
  /** Every request, in order. */
  readonly asked: readonly Asked[];
  readonly close: () => Promise<void>;
};

const send = (response: ServerResponse, reply: Reply): void => {
  if (reply === 'silence') return;
  if (reply === 'drop') {
    response.destroy();
  } else if (reply === 'broken') {
    response.writeHead(200, { 'content-length': '1000' }).write('half', () => response.destroy());
  } else {
    response.writeHead(reply.status ?? 200, reply.headers).end(reply.body);
  }
};

const closed = async (server: Server): Promise<void> => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
};

/** @param script answers a request, given which one it is, from 0 */
export const scriptedUpstream = async (script: (asked: Asked, number: number) => Reply): Promise<ScriptedUpstream> => {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const one = { method, path, headers, body: Buffer.concat(parts).toString() };
      asked.push(one);
      send(response, script(one, asked.length - 1));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, asked, close: () => closed(server) };
};
