import { createHash } from 'node:crypto';
import type { Config } from '../config/index.ts';
import { eachNode } from '../event-store/eventstoredb/each-node.ts';
import { placeOfFile } from '../event-store/place-of-file.ts';

/** Where a server listens that is named without a port. */
const USUAL_PORT = 2113;

/** The servers of a connection string, in whatever order: no user, no password, no option. */
const serversIn = (url: string): readonly string[] => {
  const servers = eachNode(url).map(({ host }) => (host.includes(':') ? host : `${host}:${USUAL_PORT}`).toLowerCase());
  return [...new Set(servers)].toSorted();
};

const partsOf = (eventStore: Config['eventStore']): readonly unknown[] =>
  eventStore.kind === 'sqlite'
    ? [eventStore.kind, placeOfFile(eventStore.file)]
    : [eventStore.kind, serversIn(eventStore.url), eventStore.streamPrefix];

/** A digest of what names a log: its kind, and its file, or its servers and the prefix of its streams. It tells no secret. */
export const logNameOf = (eventStore: Config['eventStore']): string =>
  createHash('sha256')
    .update(JSON.stringify(partsOf(eventStore)))
    .digest('hex');
