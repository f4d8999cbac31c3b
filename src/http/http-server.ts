import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import * as E from 'fp-ts/lib/Either.js';
import { inTime } from '../concurrency/in-time.ts';
import { bodiesDropped } from './connections/bodies-dropped.ts';
import { boundedChunks } from './connections/bounded-chunks.ts';
import { createServer } from './node-http.ts';
import { Connections } from './connections/connections.ts';
import { connectionsTaken } from './connections/connections-taken.ts';
import { deliveriesFirst } from './connections/deliveries-first.ts';
import { EndedInShares } from './connections/ended-in-shares.ts';
import { HalfClosed } from './connections/half-closed.ts';
import { HeldByPeers } from './connections/held-by-peers.ts';
import { MOST_UNHEARD_BYTES } from './connections/hold-unheard.ts';
import { InTurn } from './connections/in-turn.ts';
import { NewConnections } from './connections/new-connections.ts';
import { RepliesUnderWay } from './connections/replies-under-way.ts';
import { refuseIllFormed } from './refuse-ill-formed.ts';
import { UnreadAnswers, type UnreadLimits } from './connections/unread-answers.ts';
import { writesInPieces } from './connections/writes-in-pieces.ts';
import { answerToUnreadable, CHUNKS_TOO_SMALL, REQUEST_TIMEOUT } from './unreadable-request.ts';

/** Why the server could not listen: one line, with the cure. */
/** `HostNotHere`: nothing can listen at the host that was given, so another one is to be given; `ListenFailed` is all else. */
export type ListenError = { readonly _tag: 'HostNotHere' | 'ListenFailed'; readonly detail: string };

export type HttpServer = {
  /** Where it answers: `http://127.0.0.1:8080`. */
  readonly url: string;
  /**
   * Stops accepting, lets requests under way finish for a while, then cuts off what is left: idle, silent and streaming
   * connections don't hold the exit (docs/spec/receiving.md, Shutdown).
   */
  readonly close: () => Promise<void>;
};

/** Longer than the usual 60 seconds of a load balancer, which must not reuse a connection that is just being closed. */
const KEEP_ALIVE_MS = 65_000;
/** Longer than the ten seconds that a delivery's body has, so that the application is the one that answers. */
const REQUEST_WITHIN_MS = 15_000;
const LOOK_FOR_LATE_REQUESTS_EVERY_MS = 1_000;
const FINISH_WITHIN_MS = 5_000;

/** What callers may take at most, whoever they are. */
export type ServerLimits = {
  /** Where there are more, the eldest that nobody waits for an answer on is closed. */
  readonly connections: number;
  /** Header lines of a request; further ones are answered 431. Their size is bounded too, see below. */
  readonly headers: number;
  /** Milliseconds in which they have to be there; 408 behind that. */
  readonly headersWithinMs: number;
  /** What waits for its callers to read it. */
  readonly unread: UnreadLimits;
};

const LIMITS: ServerLimits = {
  connections: connectionsTaken(null).usual,
  headers: 100,
  headersWithinMs: 10_000,
  // Streams are given up before, by those who make them and can say whose they were.
  unread: { pace: { patienceMs: 90_000, bytesPerSecond: 4_096 }, bytes: 134_217_728, lookEveryMs: 500 },
};
const HEADER_BYTES = 16_384;
/**
 * Connections that the system holds until they are accepted; it takes no more than its own bound (`net.core.somaxconn`).
 * Where more come than can be accepted, each waits for all that are held, a fifth of a millisecond for each.
 */
const BACKLOG = 2_048;

const origin = (host: string, server: Server): string => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};

/** A name that is not known, and an address that is none of this machine's. */
const NOT_HERE: ReadonlySet<string | undefined> = new Set(['ENOTFOUND', 'EADDRNOTAVAIL']);

const listenError = ({ code, message }: NodeJS.ErrnoException, host: string, port: number): ListenError => {
  if (NOT_HERE.has(code)) {
    const detail = `HOST: ${host} is no address of this machine (${code}); give one of its own, 127.0.0.1, or 0.0.0.0 for all`;
    return { _tag: 'HostNotHere', detail };
  }
  const detail =
    code === 'EADDRINUSE'
      ? `PORT ${port} on ${host} is taken; set PORT to another one, or to 0 for any that is free`
      : `HOST ${host}, PORT ${port}: can't listen (${message})`;
  return { _tag: 'ListenFailed', detail };
};

/**
 * Answers what can't be read as a request, and closes the connection. If whole requests came before it on the same
 * connection, only these are answered: their sender would take this answer for theirs.
 *
 * @param code of the error
 * @param cut the request whose body is read no further, where it is one of those that came
 */
const refuseUnreadable =
  (underWay: RepliesUnderWay, turns: InTurn, newRequestId: () => string) =>
  (code: string | undefined, socket: Duplex, cut?: IncomingMessage): void => {
    if (!socket.writable || code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const end = (): void => void socket.end(() => socket.destroy());
    if (turns.endBehind(socket, cut ?? null, end)) return;
    const replies = underWay.on(socket);
    const next = underWay.isAnswered(socket) ? -1 : replies.length;
    const at = cut === undefined ? next : replies.findIndex((reply) => reply.req === cut);
    const lastOwed = replies.slice(0, Math.max(0, at)).findLast((reply) => reply.req.complete);
    // Where it is answered already (-1), a second answer would be taken for that to the next request.
    if (at === -1) {
      socket.destroy();
    } else if (lastOwed !== undefined) {
      if (!lastOwed.headersSent) lastOwed.setHeader('Connection', 'close');
      lastOwed.once('finish', end);
    } else if (replies.some((reply) => reply.headersSent)) {
      socket.destroy();
    } else {
      socket.end(answerToUnreadable(code, newRequestId()), () => socket.destroy());
    }
  };

const closing = (server: Server, underWay: RepliesUnderWay, connections: Connections): (() => Promise<void>) => {
  let closed: Promise<void> | null = null;
  // Node calls this as it closes, and would itself cut off answers that were made and are still being read.
  server.closeIdleConnections = () => connections.closeIdle((socket) => underWay.isIdle(socket));
  const close = async (): Promise<void> => {
    const ended = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    await inTime(FINISH_WITHIN_MS, underWay.none(), undefined);
    connections.closeAll();
    await ended;
  };
  return () => (closed ??= close());
};

/**
 * Listens for HTTP; a `port` of 0 picks a free one.
 *
 * @param newRequestId for the answers to what never becomes a request
 */
export const listen = (
  listener: RequestListener,
  host: string,
  port: number,
  newRequestId: () => string,
  given: Partial<ServerLimits> = {},
): Promise<E.Either<ListenError, HttpServer>> => {
  const limits = { ...LIMITS, ...given };
  const underWay = new RepliesUnderWay();
  const unheard = new HeldByPeers(MOST_UNHEARD_BYTES);
  const isKnown = (socket: Duplex): boolean => connections.isKnown(socket);
  const turns = new InTurn(unheard, isKnown);
  const refuse = refuseUnreadable(underWay, turns, newRequestId);
  const refuseBody = (request: IncomingMessage): void => {
    // Node would go on reading, to throw it away, as long as the connection is open.
    request.socket.pause();
    refuse(CHUNKS_TOO_SMALL, request.socket, request);
  };
  const opened = new NewConnections();
  const begun = underWay.begun(bodiesDropped(refuseIllFormed(limits.headers, newRequestId, listener)));
  const connections = new Connections(
    limits.connections,
    (socket) => underWay.isWaitedFor(socket),
    (address) => unheard.proved(address),
  );
  const heard = underWay.counted(turns.heard(deliveriesFirst(opened, unheard, isKnown, begun)));
  const boundChunks = boundedChunks(refuseBody);
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: limits.headersWithinMs,
      requestTimeout: REQUEST_WITHIN_MS,
      connectionsCheckingInterval: LOOK_FOR_LATE_REQUESTS_EVERY_MS,
      noDelay: true,
      maxHeaderSize: HEADER_BYTES,
      // Node alone would answer without a request id.
      requireHostHeader: false,
    },
    heard,
  );
  // An expectation that nobody knows is none: Node alone would answer without a request id.
  server.on('checkExpectation', heard);
  const unread = new UnreadAnswers(limits.unread);
  const halfClosed = new HalfClosed((socket) => underWay.on(socket));
  server.on('connection', (socket) => {
    // Node listens for errors as long as it reads requests: behind a CONNECT, nobody would, and a reset would end the ledger.
    socket.on('error', () => undefined);
    writesInPieces(socket);
    opened.came(socket);
    connections.add(socket);
    unread.add(socket);
    halfClosed.watch(server, socket);
    turns.watch(socket, boundChunks);
  });
  // One more than is allowed, so that a request with too many is recognised.
  server.maxHeadersCount = limits.headers + 1;
  const late = new EndedInShares((socket) => refuse(REQUEST_TIMEOUT, socket));
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
    if (code === REQUEST_TIMEOUT) late.came(socket);
    else refuse(code, socket);
  });
  // CONNECT asks a proxy, which this is none of. Node alone would close the connection without a word.
  server.on('connect', (_request, socket) => {
    refuse(undefined, socket);
    // Nor does it see the end of what is sent from then on. Behind deliveries their answers come first, and the end with them.
    socket.once('end', () => halfClosed.stays(socket) || socket.end()).resume();
  });
  return new Promise((resolve) => {
    server.once('error', (error) => resolve(E.left(listenError(error, host, port))));
    server.listen({ port, host, backlog: BACKLOG }, () =>
      resolve(E.right({ url: origin(host, server), close: closing(server, underWay, connections) })),
    );
  });
};
