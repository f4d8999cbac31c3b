import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as t from 'io-ts';
import { right } from '../support/right.ts';
import { Acl, mayDo, newStoreUsers, type Right, type StoreUser } from './store-users.ts';

type Asked = { readonly method: string; readonly path: string; readonly status: number };

/** An EventStoreDB node over HTTP, as far as users and ACLs go: a stand-in that holds what it was told, and obeys it. */
export type StoreOverHttp = {
  readonly url: string;
  readonly users: Map<string, StoreUser>;
  /** The first event of each stream, or stream's metadata, that was written; by path. */
  readonly events: Map<string, { readonly eventId: string; readonly eventType: string; readonly data: unknown }>;
  /** What was asked, but for the state of the node. */
  readonly asked: Asked[];
  readonly close: () => Promise<void>;
};

const SETTINGS = '/streams/%24settings';
const ALL_METADATA = '/streams/%24all/metadata';
const PROBE = '/streams/order-acl-probe';
const NEW_EVENTS = 'application/vnd.eventstore.events+json';

const Events = t.array(t.type({ eventId: t.string, eventType: t.string, data: t.unknown }));
const NewPassword = t.type({ newPassword: t.string });
const NewUser = t.type({ loginName: t.string, fullName: t.string, groups: t.array(t.string), password: t.string });
const Settings = t.type({ $userStreamAcl: Acl });
const StreamMetadata = t.type({ $acl: Acl });

const credentials = ({ headers }: IncomingMessage): readonly [name: string, password: string] => {
  const login = Buffer.from((headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
  const [name = ''] = login.split(':');
  return [name, login.slice(name.length + 1)];
};

/** Starts a node that is the leader or not. */
export const storeOverHttp = async (state: 'leader' | 'follower'): Promise<StoreOverHttp> => {
  const users = newStoreUsers();
  const events: StoreOverHttp['events'] = new Map();
  const asked: Asked[] = [];

  const userStreams = (): Acl => {
    const settings = events.get(SETTINGS);
    return settings === undefined ? {} : right(Settings.decode(settings.data)).$userStreamAcl;
  };
  // By default only administrators read everything (docs/event-store-facts.md, Running and operating it).
  const everything = (): Acl => {
    const metadata = events.get(ALL_METADATA);
    return metadata === undefined ? { $r: ['$admins'] } : right(StreamMetadata.decode(metadata.data)).$acl;
  };

  /** An append at version -1, by an administrator: the same event id again is done already, another one is refused. */
  const append = (path: string, headers: IncomingMessage['headers'], body: Buffer): number => {
    if (headers['content-type'] !== NEW_EVENTS || headers['es-expectedversion'] !== '-1') return 415;
    const [event] = right(Events.decode(JSON.parse(body.toString())));
    const there = events.get(path);
    if (event === undefined || (there !== undefined && there.eventId !== event.eventId)) return 400;
    if (there === undefined) events.set(path, event);
    return 201;
  };

  const manage = (request: string, body: Buffer): number | null => {
    const reset = /^POST \/users\/(\w+)\/command\/reset-password$/.exec(request)?.[1];
    const user = users.get(reset ?? '');
    if (reset !== undefined && user !== undefined) {
      users.set(reset, { ...user, password: right(NewPassword.decode(JSON.parse(body.toString()))).newPassword });
      return 200;
    }
    const named = /^GET \/users\/(\w+)$/.exec(request)?.[1];
    if (named !== undefined) return users.has(named) ? 200 : 404;
    if (request !== 'POST /users/') return null;
    const { loginName, groups, password } = right(NewUser.decode(JSON.parse(body.toString())));
    users.set(loginName, { groups, password });
    return 201;
  };

  const answer = (request: IncomingMessage, body: Buffer): number => {
    const { method = '', url = '', headers } = request;
    const [name, password] = credentials(request);
    const user = users.get(name);
    if (user === undefined || user.password !== password) return 401;
    if (`${method} ${url}` === 'GET /users/$current') return 200;
    /** What is allowed fails all the same: the stream does not exist, and version 7 is wrong. */
    const probed = (wanted: Right, allowed: number): number =>
      mayDo(userStreams(), wanted, name, user) ? allowed : 403;
    if (url === PROBE) return method === 'DELETE' ? probed('$d', 400) : probed('$r', 404);
    if (url === `${PROBE}/metadata`) return probed('$mw', 400);
    if (url === '/streams/%24all/head/backward/1') return mayDo(everything(), '$r', name, user) ? 200 : 403;
    if (!user.groups.includes('$admins')) return 403;
    if (method === 'POST' && (url === SETTINGS || url === ALL_METADATA)) return append(url, headers, body);
    return manage(`${method} ${url}`, body) ?? 404;
  };

  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    if (request.url === '/info') {
      response.end(JSON.stringify({ esVersion: '26.0.3', state }));
      return;
    }
    response.statusCode = answer(request, body);
    asked.push({ method: request.method ?? '', path: request.url ?? '', status: response.statusCode });
    response.end('{}');
  };
  const server = createServer((request, response) => void reply(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, users, events, asked, close };
};
