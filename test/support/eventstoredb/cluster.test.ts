import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, NotLeaderError } from '@eventstore/db-client';
import { expect } from 'chai';
import { startCluster, type ClusterDouble } from './cluster.ts';
import { appendWith, reconnected, rejection, testEvent } from './double-with-client.ts';
import type { ClusterNode } from './event-store-db-double.ts';

const countOf = async (events: AsyncIterable<unknown>): Promise<number> => {
  let count = 0;
  for await (const _ of events) count += 1;
  return count;
};

describe('double of EventStoreDB: cluster', () => {
  let cluster: ClusterDouble;
  let clients: EventStoreDBClient[];

  beforeEach(async () => {
    cluster = await startCluster(3);
    clients = [];
  });
  afterEach(async () => {
    await Promise.all(clients.map((client) => client.dispose()));
    await cluster.close();
  });

  const connect = (url: string): EventStoreDBClient => {
    const client = EventStoreDBClient.connectionString(`${url}&maxDiscoverAttempts=2&discoveryInterval=10`);
    clients.push(client);
    return client;
  };
  const node = (place: number): ClusterNode => {
    const there = cluster.nodes[place];
    if (there === undefined) throw new Error(`no node ${place}`);
    return there;
  };
  const written = (stream: string): readonly string[] => cluster.log.stream(stream)?.events.map(({ id }) => id) ?? [];

  it('is found by gossip, and it is the leader that clients go to', async () => {
    for (const leader of cluster.nodes) {
      cluster.elect(leader);
      for (const each of cluster.nodes) each.lagBehind(each === leader ? 0 : 1_000);
      for (let i = 0; i < 5; i += 1) {
        const client = connect(cluster.url);
        const stream = `stream-${leader.port}-${i}`;
        await appendWith(client)(stream, 'no_stream', [testEvent()]);
        // A follower, which lags behind, has no such stream.
        expect(await countOf(client.readStream(stream))).to.equal(1);
      }
    }
  });

  it('goes on with another leader, which knows the ids of none', async () => {
    const client = connect(cluster.url);
    const append = appendWith(client);
    const [first, second] = [testEvent(), testEvent()];
    await append('stream', 'no_stream', [first]);
    await append('stream', 0n, [second]);
    await append('weak', 'any', [first]);
    await append('weak', 'any', [first]);
    expect(written('weak')).to.deep.equal([first.id]);

    await node(0).stop();
    expect(cluster.leader()).to.equal(null);
    await rejection(append('stream', 1n, [testEvent()]));
    cluster.elect(node(1));
    await reconnected(client);
    expect((await append('stream', 'no_stream', [first])).nextExpectedRevision).to.equal(0n);
    await append('weak', 'any', [first]);
    expect(written('stream')).to.deep.equal([first.id, second.id]);
    expect(written('weak')).to.deep.equal([first.id, first.id]);
  });

  it('keeps what a leader knows that is elected again, and nothing once another has led', async () => {
    const append = appendWith(connect(node(0).url));
    const event = testEvent();
    await append('stream', 'any', [event]);
    cluster.elect(node(0));
    await append('stream', 'any', [event]);
    expect(written('stream')).to.deep.equal([event.id]);
    cluster.elect(node(1));
    cluster.elect(node(0));
    await append('stream', 'any', [event]);
    expect(written('stream')).to.deep.equal([event.id, event.id]);
  });

  it('forwards the appends of followers to the leader', async () => {
    const [id, stream] = [randomUUID(), 'forwarded'];
    await appendWith(connect(node(2).url))(stream, 'any', [testEvent(id)]);
    // The leader's memory of ids is what knows it again.
    await appendWith(connect(node(1).url))(stream, 'any', [testEvent(id)], { call: 'batch' });
    await appendWith(connect(node(0).url))(stream, 'any', [testEvent(id)]);
    expect(written(stream)).to.deep.equal([id]);
  });

  it('names the leader where it is required, and the client goes there', async () => {
    await appendWith(connect(node(0).url))('stream', 'no_stream', [testEvent()]);
    node(1).lagBehind(1_000);
    const client = connect(node(1).url);
    const read = (): Promise<number> => countOf(client.readStream('stream', { requiresLeader: true }));
    const error = await rejection(read());
    expect(error).to.be.instanceOf(NotLeaderError);
    expect(error).to.deep.include({ leader: { address: '127.0.0.1', port: node(0).port } });
    expect(await read()).to.equal(1);
  });

  it('takes nothing without a leader, and a client that met that is poisoned', async () => {
    const client = connect(cluster.url);
    cluster.elect(null);
    expect(await rejection(appendWith(connect(node(1).url))('stream', 'any', [testEvent()]))).to.include({ code: 14 });
    const append = (): Promise<unknown> => appendWith(client)('stream', 'any', [testEvent()], { call: 'batch' });
    expect((await rejection(append())).message).to.match(/^Failed to discover after 2 attempts/);
    cluster.elect(node(2));
    expect((await rejection(append())).message).to.match(/^Failed to discover after 2 attempts/);
    await appendWith(connect(cluster.url))('stream', 'any', [testEvent()], { call: 'batch' });
    expect(written('stream')).to.have.length(1);
  });
});
