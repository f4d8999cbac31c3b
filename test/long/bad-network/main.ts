// node test/long/bad-network/main.ts [SECONDS] [CONNECTIONS A SECOND] [DELIVERIES A SECOND]: bad connections beside genuine
// deliveries, to a ledger of its own, and what became of the deliveries; before that for a tenth of the time without them, on
// the same machine.
import { ledgerProcesses } from '../../support/ledger-process.ts';
import { SECRET } from '../../support/payloads.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { besideBadConnections } from './beside-bad-connections.ts';

/** A day's worth of a connection each second, in ten minutes. */
const [seconds = '600', connections = '144', deliveries = '50'] = process.argv.slice(2);
const folder = temporaryFolder();
const processes = ledgerProcesses(() => ({}));
const { url } = await processes.serve({
  DATA_DIR: `${folder.path}/data`,
  WEBHOOK_SECRETS: `primary=${SECRET}`,
  API_KEYS: 'reader:orders:read=reader-api-key-of-at-least-24-bytes',
  LOG_LEVEL: 'fatal',
});
const without = await besideBadConnections(url, Number(seconds) / 10, 0, Number(deliveries));
const beside = await besideBadConnections(url, Number(seconds), Number(connections), Number(deliveries));
process.stdout.write(`${JSON.stringify({ without, beside }, null, 2)}\n`);
await processes.endAll();
folder.remove();
