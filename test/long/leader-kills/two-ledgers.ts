import { startCluster, type ClusterDouble } from '../../support/eventstoredb/cluster.ts';
import { ledgerProcesses } from '../../support/ledger-process.ts';
import { SECRET } from '../../support/payloads.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A ledger that serves, and the file of its spool. */
export type ServingLedger = { readonly url: string; readonly spool: string };

const NODES = 3;

/** Does something with two ledgers on a cluster of doubles, and ends all of them. */
export const onTwoLedgers = async <A>(
  work: (cluster: ClusterDouble, ledgers: readonly ServingLedger[]) => Promise<A>,
): Promise<A> => {
  const cluster = await startCluster(NODES);
  const processes = ledgerProcesses(() => ({}));
  const folders = [temporaryFolder(), temporaryFolder()];
  try {
    const ledgers = folders.map(async ({ path }): Promise<ServingLedger> => {
      const { url } = await processes.serve({
        DATA_DIR: `${path}/data`,
        EVENT_STORE_URL: cluster.url,
        WEBHOOK_SECRETS: `primary=${SECRET}`,
        API_KEYS: 'reader:orders:read=reader-api-key-of-at-least-24-bytes',
        LOG_LEVEL: 'fatal',
      });
      return { url, spool: `${path}/data/spool.db` };
    });
    return await work(cluster, await Promise.all(ledgers));
  } finally {
    await processes.endAll();
    await cluster.close();
    for (const folder of folders) folder.remove();
  }
};
