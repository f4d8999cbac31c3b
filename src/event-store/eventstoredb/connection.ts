import { EventStoreDBClient, type Credentials } from '@eventstore/db-client';
import * as E from 'fp-ts/lib/Either.js';
import { inTime } from '../../concurrency/in-time.ts';
import { AnsweringNode } from './answering-node.ts';
import { guardedClient } from './guarded-client.ts';
import { guardedGossip } from './guarded-gossip.ts';
import { tlsByAddress } from './tls-by-address.ts';

/** One client of a server or cluster: one for each process is enough, and a second gains nothing (facts, Seen). */
export type Connection = {
  readonly client: () => EventStoreDBClient;
  /**
   * To be given with each append: with credentials of its own an append is a call of its own, not one in the batch that
   * all clients of the process share (facts, The client). A server without security ignores them.
   */
  readonly credentials: Credentials;
  /** Whether it was closed: a read that was under way then ends like one that has come to its end. */
  readonly isClosed: () => boolean;
  readonly close: () => Promise<void>;
};

/** How long the end waits for calls to end, which were all cancelled by then. */
const CLOSE_WITHIN_MS = 500;

/** Cancels what is open; the client itself would wait for ever for a cancelled subscription whose buffer nobody empties. */
const dispose = (client: EventStoreDBClient): Promise<void> => inTime(CLOSE_WITHIN_MS, client.dispose(), undefined);

const NOBODY: Credentials = { username: 'nobody', password: 'nobody' };

/** The user that a connection string names. */
const credentialsIn = (url: string): Credentials => {
  const [username, password] = (/^[^:]+:\/\/([^:@/]+:[^@]+)@/.exec(url)?.[1] ?? '').split(':');
  return username === undefined || password === undefined
    ? NOBODY
    : { username: decodeURIComponent(username), password: decodeURIComponent(password) };
};

/** How long a node may answer no call well before others are asked. */
export const LEAVE_AFTER_MS = 10_000;

/** Opens nothing yet: the first call connects. A Left is about the connection string, and tells nothing of it. */
export const connect = (url: string, leaveAfterMs = LEAVE_AFTER_MS): E.Either<string, Connection> => {
  let client: EventStoreDBClient;
  let credentials: Credentials;
  try {
    tlsByAddress();
    guardedGossip();
    client = guardedClient(EventStoreDBClient.connectionString(url), new AnsweringNode(leaveAfterMs));
    credentials = credentialsIn(url);
  } catch {
    // The client's own text repeats the connection string, password and all.
    return E.left('the connection string of the event store can not be read, or names a file that is not there');
  }
  let isClosed = false;
  let disposed: Promise<void> | null = null;
  return E.right({
    client: () => client,
    credentials,
    isClosed: () => isClosed,
    close: () => {
      isClosed = true;
      disposed ??= dispose(client);
      return disposed;
    },
  });
};
