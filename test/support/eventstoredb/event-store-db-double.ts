import { randomUUID } from 'node:crypto';
import gossipDefinition from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import featuresDefinition from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import streamsDefinition from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import * as E from 'fp-ts/lib/Either.js';
import { appendService } from './append-service.ts';
import { batchAppendService } from './batch-append-service.ts';
import { deleteService } from './delete-service.ts';
import { eventLog, type EventLog } from './event-log.ts';
import { faultsOf, type Faults } from './faults.ts';
import { gossipService, type Member } from './gossip-service.ts';
import { recentIds } from './idempotency.ts';
import { listener } from './listener.ts';
import type { LiveSubscription, Node, Reads } from './node.ts';
import { performAppend, type AppendOutcome, type AppendRequest } from './perform-append.ts';
import { readService } from './read-service.ts';
import type { Endpoint, ServerError } from './server-error.ts';
import { serverFeaturesService } from './server-features-service.ts';

/** A double of one EventStoreDB node: its protocol over gRPC on loopback, its log in memory. */
export type EventStoreDbDouble = {
  readonly url: string;
  readonly port: number;
  readonly faults: Faults;
  /** What was written, past the protocol. */
  readonly log: EventLog;
  readonly isListening: () => boolean;
  /** How many calls of reads and subscriptions are open: one that is left without being cancelled stays among them. */
  readonly openReads: () => number;
  /** How many events reads and subscriptions were sent so far. */
  readonly sentEvents: () => number;
  /** Closes the port and cuts every connection; the log stays. */
  readonly stop: () => Promise<void>;
  /** Opens the same port again. */
  readonly start: () => Promise<void>;
  /** Stops and starts. A server's memory of ids is empty after a restart; `forgetIds: false` is a mere outage. */
  readonly restart: (how: { readonly forgetIds: boolean }) => Promise<void>;
  /** Reads and subscriptions no longer see the last so many events of the log. */
  readonly lagBehind: (events: number) => void;
  readonly close: () => Promise<void>;
};

/** What a node asks of the cluster that it is part of. */
export type ClusterMembership = {
  readonly members: () => readonly Member[];
  /** Null on the leader itself. */
  readonly leaderElsewhere: () => Endpoint | null;
  /** Performs an append on whichever node leads. */
  readonly forward: (request: AppendRequest) => E.Either<ServerError, AppendOutcome>;
};

export type EventStoreDbOptions = {
  /** None or 0: a free one. */
  readonly port?: number;
  readonly log?: EventLog;
  /** What its appends are limited to, if not to the usual 1 MiB. */
  readonly maxAppendBytes?: number;
};

/** A double whose appends a cluster may forward to it, and that can lose its memory of ids as a new leader does. */
export type ClusterNode = EventStoreDbDouble & {
  readonly performHere: (request: AppendRequest) => AppendOutcome;
  readonly forgetIds: () => void;
  readonly id: string;
};

const HOST = '127.0.0.1';
/** Above it a call ends with RESOURCE_EXHAUSTED. */
const MAX_MESSAGE_BYTES = 16 * 1_048_576;

export const startClusterNode = async (
  options: EventStoreDbOptions,
  membership: ClusterMembership | null,
): Promise<ClusterNode> => {
  const log = options.log ?? eventLog();
  const id = randomUUID();
  const recent = recentIds();
  const subscriptions = new Set<LiveSubscription>();
  const reads: Reads = { open: new Set(), sentEvents: 0 };
  let lag = 0;
  let listening = false;

  const wakeSubscriptions = (): void => {
    for (const { pump } of subscriptions) pump();
  };
  const endSubscriptions = (): void => {
    for (const { end } of subscriptions) end();
  };
  const server = new Server({
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': -1,
  });
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const tcp = listener((socket) => plan.whenThawed(() => injector.injectConnection(socket)));
  const { faults, plan } = faultsOf({ dropConnections: tcp.dropAll, endSubscriptions, wakeSubscriptions });
  const performHere = (request: AppendRequest): AppendOutcome =>
    performAppend(log, recent, request, options.maxAppendBytes);

  const node: Node = {
    log,
    plan,
    visible: () => Math.max(0, log.length() - lag),
    leaderElsewhere: membership?.leaderElsewhere ?? (() => null),
    perform: membership?.forward ?? ((request) => E.right(performHere(request))),
    dropConnectionOf: tcp.drop,
    subscriptions,
    reads,
  };
  const port = await tcp.listen(options.port ?? 0);
  listening = true;
  const alone = (): readonly Member[] => [{ id, endpoint: { host: HOST, port }, isAlive: true, role: 'leader' }];

  server.addService(streamsDefinition.StreamsService, {
    append: appendService(node),
    batchAppend: batchAppendService(node),
    read: readService(node),
    ...deleteService(node),
  });
  server.addService(featuresDefinition.ServerFeaturesService, { getSupportedMethods: serverFeaturesService(node) });
  server.addService(gossipDefinition.GossipService, { read: gossipService(node, membership?.members ?? alone) });
  const unwatch = log.watch(wakeSubscriptions);

  const stop = async (): Promise<void> => {
    listening = false;
    await tcp.stop();
  };
  const start = async (): Promise<void> => {
    if (listening) return;
    await tcp.listen(port);
    listening = true;
  };

  return {
    id,
    url: `esdb://${HOST}:${port}?tls=false`,
    port,
    faults,
    log,
    isListening: () => listening,
    openReads: () => reads.open.size,
    sentEvents: () => reads.sentEvents,
    stop,
    start,
    restart: async ({ forgetIds }) => {
      await stop();
      if (forgetIds) recent.forget();
      await start();
    },
    lagBehind: (events) => {
      lag = events;
      wakeSubscriptions();
    },
    close: async () => {
      unwatch();
      await stop();
      server.forceShutdown();
    },
    performHere,
    forgetIds: recent.forget,
  };
};

/** Starts a single node. */
export const startEventStoreDb = (options: EventStoreDbOptions = {}): Promise<EventStoreDbDouble> =>
  startClusterNode(options, null);
