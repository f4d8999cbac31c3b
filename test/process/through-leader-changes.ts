import { expect } from 'chai';
import * as fc from 'fast-check';
import { readSpoolState } from '../../src/event-store/spool/read-spool-state.ts';
import { accepted } from '../support/answers.ts';
import { startCluster, type ClusterDouble } from '../support/eventstoredb/cluster.ts';
import { deliver } from '../support/exchange.ts';
import { at } from '../support/naive-json.ts';
import { expectOnceEach } from '../support/once-each.ts';
import { bodyOf, newOrderId, offRamp } from '../support/payloads.ts';
import { PersistentProvider } from '../support/persistent-provider.ts';
import { right } from '../support/right.ts';
import { storedTraces } from '../support/stored-traces.ts';
import { until } from '../support/until.ts';
import { expectOracle } from './oracle-agreement.ts';
import { ask, expectOrderlyEnd, processFixture } from './process-fixture.ts';
import { deliverOrders, providedOrders } from './provided-orders.ts';

const NODES = 3;
const LANES = 4;
const WAIT_MS = 30_000;
/** How many events a follower lacks: reads there miss one's own write. */
const LAG = 40;

/** A ledger on a cluster of EventStoreDB that keeps and shows everything, whoever leads. */
export const throughLeaderChanges = (changes: number): void => {
  const ledger = processFixture();
  let cluster: ClusterDouble;

  beforeEach(async () => {
    cluster = await startCluster(NODES);
  });
  afterEach(() => cluster.close());

  const env = () => ledger.env({ EVENT_STORE_URL: cluster.url, LOG_LEVEL: 'fatal' });

  it(`keeps everything that it acknowledged exactly once, through ${changes} changes of the leader`, async () => {
    const survives = async (seed: number): Promise<void> => {
      const serving = await ledger.serve(env());
      const provider = new PersistentProvider(() => serving.url);
      const orders = providedOrders(seed);
      const over = new AbortController();
      const grows = async (what: string, count: () => number): Promise<void> => {
        const from = count();
        await until(WAIT_MS, what, () => Promise.resolve(count() > from ? true : null));
      };
      const changeLeaders = async (): Promise<void> => {
        for (let change = 0; change < changes; change += 1) {
          const before = cluster.leader();
          const next = cluster.nodes[(change + 1) % NODES] ?? null;
          // The leader dies, or there is none for a while, or it just gives way.
          if (change % 3 === 0) await before?.stop();
          if (change % 3 === 1) cluster.elect(null);
          if (change % 3 < 2) await grows('a delivery without a leader', () => provider.acknowledged);
          cluster.elect(next);
          await grows('the new leader to take something', () => provider.stored);
          await before?.start();
        }
        over.abort();
      };
      try {
        await Promise.all([changeLeaders(), deliverOrders(orders, provider, LANES, over.signal)]);
      } finally {
        over.abort();
        provider.end();
      }
      expect(provider.spooled).to.be.at.least(changes / 3);
      await until(WAIT_MS, 'the spool to be empty', () => {
        const state = right(readSpoolState(ledger.inFolder('data', 'spool.db')));
        return Promise.resolve(state?.depth === 0 ? true : null);
      });
      const traces = storedTraces(cluster.log);
      expectOnceEach(provider.attempts, traces, orders.ofOtherFlow());
      await expectOracle(serving.url, provider.attempts, traces);
      serving.signal('SIGTERM');
      expectOrderlyEnd(await serving.finished, ledger.inFolder('data'));
    };
    await fc.assert(fc.asyncProperty(fc.nat(), survives), { numRuns: 1, endOnFailure: true });
  }).timeout(120_000);

  it('shows what it has acknowledged at once, whatever followers have not got yet and whoever leads', async () => {
    const { url } = await ledger.serveHere(env());
    for (let turn = 0; turn < changes; turn += 1) {
      const leader = cluster.nodes[turn % NODES] ?? null;
      cluster.elect(leader);
      for (const node of cluster.nodes) node.lagBehind(node === leader ? 0 : LAG);
      const orderId = newOrderId('seen');
      for (const [revision, status] of ['pending', 'orderReceived', 'PayoutSuccess'].entries()) {
        const body = bodyOf(offRamp({ orderId, status }));
        const { position, outcome } = await until(WAIT_MS, 'the leader to take it', async () => {
          const reply = await deliver(url, body);
          return reply.status === 200 ? accepted(reply) : null;
        });
        expect(outcome).to.be.oneOf(['recorded', 'duplicate']);
        const order: unknown = JSON.parse((await ask(url, `/v1/orders/${orderId}`)).text);
        expect({ status: at(order, 'status'), revision: at(order, 'revision') }).to.deep.equal({ status, revision });
        const listing = ask(url, `/v1/orders?q=${orderId}&status=${status}&position=${position}`);
        for (const node of cluster.nodes) node.lagBehind(0);
        const listed = await listing;
        for (const node of cluster.nodes) node.lagBehind(node === leader ? 0 : LAG);
        expect(listed.status, listed.text).to.equal(200);
        expect(at(JSON.parse(listed.text), 'data')).to.have.lengthOf(1);
      }
    }
  }).timeout(60_000);
};
