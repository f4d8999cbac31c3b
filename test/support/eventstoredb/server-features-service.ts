import type { handleUnaryCall } from '@grpc/grpc-js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type shared from '@eventstore/db-client/generated/shared_pb.js';
import { inTheWay, type Node } from './node.ts';

const SERVER_VERSION = '24.10.0';
const STREAMS = 'event_store.client.streams.streams';
const METHODS = ['read', 'append', 'delete', 'tombstone', 'batchappend'];

/** `ServerFeatures.GetSupportedMethods`, a client's first call before it appends. */
export const serverFeaturesService =
  (node: Node): handleUnaryCall<shared.Empty, features.SupportedMethods> =>
  (call, callback) =>
    node.plan.whenThawed(() => {
      const obstacle = inTheWay(node, 'other', call.metadata);
      if (obstacle === 'silence') return;
      if (obstacle !== null) {
        callback(obstacle);
        return;
      }
      const answer = new features.SupportedMethods().setEventStoreServerVersion(SERVER_VERSION);
      for (const method of METHODS) {
        answer.addMethods(new features.SupportedMethod().setServiceName(STREAMS).setMethodName(method));
      }
      callback(null, answer);
    });
