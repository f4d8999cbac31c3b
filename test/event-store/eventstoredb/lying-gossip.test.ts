import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { expect } from 'chai';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import { startCluster, type ClusterDouble } from '../../support/eventstoredb/cluster.ts';
import { startEventStoreDb } from '../../support/eventstoredb/event-store-db-double.ts';
import { anEvent } from '../../support/stored-events.ts';
import { until } from '../../support/until.ts';
import {
  answer,
  append,
  aStream,
  eventually,
  SHORT,
  stores,
  unavailableDetail,
  WAIT_MS,
  type Stores,
} from './store-scene.ts';

const STATE = gossip.MemberInfo.VNodeState;

/** An id in the form of two numbers, which a server writes its members' in; these make up no UUID. */
const noUuid = (): shared.UUID => {
  const halves = new shared.UUID.Structured();
  halves.setMostSignificantBits('1');
  halves.setLeastSignificantBits('2');
  return new shared.UUID().setStructured(halves);
};

type Told = { readonly id?: shared.UUID; readonly host?: string; readonly port: number };

/** A gossip of one member that leads. */
const leaderAt = ({ id = noUuid(), host = '127.0.0.1', port }: Told): gossip.ClusterInfo => {
  const leading = new gossip.MemberInfo().setTimeStamp('1').setState(STATE.LEADER).setIsAlive(true);
  const info = new gossip.ClusterInfo();
  info.addMembers(leading.setInstanceId(id).setHttpEndPoint(new gossip.EndPoint().setAddress(host).setPort(port)));
  return info;
};

/** Addresses at which no node can be. */
const NO_ADDRESSES: readonly string[] = ['a\nb', '', 'a b', 'unix:/tmp/socket', 'dns://127.0.0.1/x', 'x'.repeat(400)];

/** A read of the cluster that finds no node ends soon. */
const QUICK = '&maxDiscoverAttempts=2&discoveryInterval=10';

describe('a cluster whose gossip lies', () => {
  let cluster: ClusterDouble;
  let open: Stores;
  let store: EventStore;
  const gossips = (told: (() => gossip.ClusterInfo) | null): void => {
    for (const node of cluster.nodes) node.faults.gossip(told);
  };
  const leaderPort = (): number => cluster.nodes[0]?.port ?? 0;

  beforeEach(async () => {
    cluster = await startCluster(2);
    open = stores();
    store = open.command(`${cluster.url}${QUICK}`, SHORT);
  });
  // Whatever escapes to the process fails here.
  afterEach(async () => {
    await open.close();
    await cluster.close();
  });

  const takesAgain = (): Promise<unknown> =>
    until(WAIT_MS, 'an append to be taken', async () => {
      const appended = await answer(store, aStream(), 'none', anEvent());
      return 'revision' in appended ? appended : null;
    });

  it('is believed where it names its leader, whatever ids it gives its nodes', async () => {
    gossips(() => leaderAt({ port: leaderPort() }));
    await append(store, aStream(), 'none', anEvent());
  });

  for (const host of NO_ADDRESSES) {
    it(`is asked again when it gives the address ${JSON.stringify(host.slice(0, 20))}`, async () => {
      gossips(() => leaderAt({ host, port: leaderPort() }));
      expect(unavailableDetail(await answer(store, aStream(), 'none', anEvent()))).to.match(
        /Failed to discover|in time/,
      );
      gossips(null);
      await takesAgain();
    });
  }

  it('is asked again when it led to where no EventStoreDB answers, though something does', async () => {
    const other = await startEventStoreDb();
    other.faults.refuseAll({ _tag: 'Trailers', trailers: {} });
    gossips(() => leaderAt({ port: other.port }));
    try {
      unavailableDetail(await answer(store, aStream(), 'none', anEvent()));
      gossips(null);
      await takesAgain();
    } finally {
      await other.close();
    }
  });

  it('is not asked again, and nothing is cut off, while what it led to refuses some calls as an EventStoreDB does', async () => {
    const once = { ...SHORT, pausesMs: [], leaveAfterMs: 1 };
    const { store: serving, shown, states } = await open.serving(`${cluster.url}${QUICK}`, once);
    await append(serving, aStream(), 'none', anEvent());
    await eventually('the tail to be level', () => states.at(-1) === null && shown.length === 1);
    const before = states.length;
    cluster.nodes[0]?.faults.refuseAll({ _tag: 'AccessDenied' }, 'append');
    for (let i = 0; i < 5; i += 1) unavailableDetail(await answer(serving, aStream(), 'none', anEvent()));
    cluster.nodes[0]?.faults.serve();
    await append(serving, aStream(), 'none', anEvent());
    expect(states.length).to.equal(before);
  });
});
