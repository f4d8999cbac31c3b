import * as E from 'fp-ts/lib/Either.js';
import { eventLog, type EventLog } from './event-log.ts';
import { startClusterNode, type ClusterMembership, type ClusterNode } from './event-store-db-double.ts';
import type { Member } from './gossip-service.ts';
import { serverNotReady } from './server-error.ts';

/** Doubles of the nodes of one cluster. Replication is instant: they share one log. */
export type ClusterDouble = {
  /** Names every node: clients ask them by gossip which one leads. */
  readonly url: string;
  readonly nodes: readonly ClusterNode[];
  readonly log: EventLog;
  /** The elected node while it listens; null when there is none, and then no node takes appends. */
  readonly leader: () => ClusterNode | null;
  /** Elects a node, which then knows no ids as a new leader does, or none. A node that leads already goes on as it is. */
  readonly elect: (node: ClusterNode | null) => void;
  readonly close: () => Promise<void>;
};

type ClusterOptions = { readonly log?: EventLog };

const HOST = '127.0.0.1';

/** Starts the nodes of a cluster, of which the first leads. Elections are the test's: none is held by itself. */
export const startCluster = async (count: number, options: ClusterOptions = {}): Promise<ClusterDouble> => {
  const log = options.log ?? eventLog();
  const nodes: ClusterNode[] = [];
  let elected: ClusterNode | null = null;

  const leader = (): ClusterNode | null => (elected?.isListening() === true ? elected : null);
  const roleOf = (node: ClusterNode): Member['role'] => {
    const leading = leader();
    if (leading === null) return 'unknown';
    return leading === node ? 'leader' : 'follower';
  };
  const members = (): readonly Member[] =>
    nodes.map((node) => ({
      id: node.id,
      endpoint: { host: HOST, port: node.port },
      isAlive: node.isListening(),
      role: roleOf(node),
    }));
  const forward: ClusterMembership['forward'] = (request) => {
    const leading = leader();
    return leading === null ? E.left(serverNotReady()) : E.right(leading.performHere(request));
  };

  for (let i = 0; i < count; i += 1) {
    const leaderElsewhere: ClusterMembership['leaderElsewhere'] = () => {
      const leading = leader();
      return leading === null || leading === nodes[i] ? null : { host: HOST, port: leading.port };
    };
    nodes.push(await startClusterNode({ log }, { members, leaderElsewhere, forward }));
  }
  elected = nodes[0] ?? null;

  return {
    url: `esdb://${nodes.map(({ port }) => `${HOST}:${port}`).join(',')}?tls=false`,
    nodes,
    log,
    leader,
    elect: (node) => {
      if (node !== elected) node?.forgetIds();
      elected = node;
    },
    close: async () => {
      await Promise.all(nodes.map((node) => node.close()));
    },
  };
};
