import { Agent, request } from 'node:http';

type QueryReply = {
  readonly status: number;
  readonly text: string;
  /** From the call to the last byte. */
  readonly ms: number;
};

/** One kept-alive connection to a ledger; what is asked on it comes one after the other. */
export type QueryClient = {
  /**
   * @param personal whether the caller may see personal data
   * @param also another status than 200 that is as it should be
   * @throws Error on any other
   */
  readonly get: (path: string, personal: boolean, also?: number) => Promise<QueryReply>;
  /** Asks for a page of the console with a session's cookie. Throws as `get` does. */
  readonly page: (path: string, cookie: string) => Promise<QueryReply>;
  /** Sends a delivery. Throws as `get` does. */
  readonly deliver: (body: string, signature: string) => Promise<QueryReply>;
  readonly close: () => void;
};

type Address = {
  readonly host: string;
  readonly port: number;
  readonly apiKeys: { readonly masked: string; readonly personal: string };
};

type Question = { readonly method: string; readonly path: string; readonly headers: Readonly<Record<string, string>> };

const SHOWN = 400;

/** Opens its connection with the first question. */
export const queryClient = ({ host, port, apiKeys }: Address): QueryClient => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (question: Question, body: string, also = 200): Promise<QueryReply> =>
    new Promise((resolve, reject) => {
      const start = performance.now();
      const asked = request({ host, port, agent, ...question }, (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('error', reject);
        reply.on('end', () => {
          const ms = performance.now() - start;
          const text = Buffer.concat(chunks).toString('utf8');
          const status = reply.statusCode ?? 0;
          if (status === 200 || status === also) resolve({ status, text, ms });
          else reject(new Error(`${question.method} ${question.path} was answered ${status}\n${text.slice(0, SHOWN)}`));
        });
      });
      asked.on('error', reject);
      asked.end(body);
    });
  return {
    get: (path, personal, also) => {
      const headers = { Authorization: `Bearer ${personal ? apiKeys.personal : apiKeys.masked}` };
      return ask({ method: 'GET', path, headers }, '', also);
    },
    page: (path, cookie) => ask({ method: 'GET', path, headers: { Cookie: cookie } }, ''),
    deliver: (body, signature) => {
      const headers = { 'Content-Type': 'application/json', 'X-Service-Signature': signature };
      return ask({ method: 'POST', path: '/v1/webhooks', headers }, body);
    },
    close: () => agent.destroy(),
  };
};
