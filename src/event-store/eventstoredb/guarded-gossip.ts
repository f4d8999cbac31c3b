import { createRequire } from 'node:module';
import * as t from 'io-ts';
import { answerOf, aroundMethod, isMethod } from './around-method.ts';
import { isNodeAddress } from './node-address.ts';

const canBeReached = (member: unknown): boolean => {
  const place = answerOf(member, 'getHttpEndPoint');
  const [host, port] = [answerOf(place, 'getAddress'), answerOf(place, 'getPort')];
  return typeof host === 'string' && typeof port === 'number' && isNodeAddress(host, port);
};

/** Takes out of a gossip what the client can't read, and who can't be reached. Nobody asks for the ids of nodes. */
const readable = (gossip: unknown): unknown => {
  const members = answerOf(gossip, 'getMembersList');
  if (!t.UnknownArray.is(members)) return gossip;
  const reachable = members.filter(canBeReached);
  for (const member of reachable) answerOf(member, 'clearInstanceId');
  answerOf(gossip, 'setMembersList', reachable);
  return gossip;
};

let isDone = false;

/**
 * Stands between a gossip and the client's own reading of it, which no answer of a server is to bring to an end: an id of a
 * node that is none ended the process, and an address that gRPC can't read left the client without a connection for ever.
 */
export const guardedGossip = (): void => {
  if (isDone) return;
  isDone = true;
  const service: unknown = createRequire(import.meta.url)('@eventstore/db-client/generated/gossip_grpc_pb.js');
  const client = t.UnknownRecord.is(service) ? service['GossipClient'] : null;
  const prototype: unknown = isMethod(client) ? client.prototype : null;
  aroundMethod(prototype, 'read', (read) => (...given) => {
    const answered = given.at(-1);
    if (!isMethod(answered)) return read(...given);
    return read(...given.slice(0, -1), (error: unknown, gossip: unknown) => answered(error, readable(gossip)));
  });
};
