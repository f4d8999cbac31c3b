import type { handleUnaryCall } from '@grpc/grpc-js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { inTheWay, type Node } from './node.ts';
import type { Endpoint } from './server-error.ts';

/** What a node knows of one of its cluster. Without a leader no node is fit for clients. */
export type Member = {
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly isAlive: boolean;
  readonly role: 'leader' | 'follower' | 'unknown';
};

const STATES = {
  leader: gossip.MemberInfo.VNodeState.LEADER,
  follower: gossip.MemberInfo.VNodeState.FOLLOWER,
  unknown: gossip.MemberInfo.VNodeState.UNKNOWN,
};

const memberInfo = ({ id, endpoint, isAlive, role }: Member): gossip.MemberInfo =>
  new gossip.MemberInfo()
    .setInstanceId(new shared.UUID().setString(id))
    .setTimeStamp(String(BigInt(Date.now()) * 10_000n))
    .setState(STATES[role])
    .setIsAlive(isAlive)
    .setHttpEndPoint(new gossip.EndPoint().setAddress(endpoint.host).setPort(endpoint.port));

/** `Gossip.Read`: the members of the cluster, which clients with several hosts ask for first. */
export const gossipService =
  (node: Node, members: () => readonly Member[]): handleUnaryCall<shared.Empty, gossip.ClusterInfo> =>
  (call, callback) =>
    node.plan.whenThawed(() => {
      const obstacle = inTheWay(node, 'other', call.metadata);
      if (obstacle === 'silence') return;
      if (obstacle !== null) {
        callback(obstacle);
        return;
      }
      const told = node.plan.gossip();
      if (told !== null) {
        callback(null, told);
        return;
      }
      const answer = new gossip.ClusterInfo();
      for (const member of members()) answer.addMembers(memberInfo(member));
      callback(null, answer);
    });
