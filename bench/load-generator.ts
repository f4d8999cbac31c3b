/**
 * The load generator's process: it writes and signs requests when told to, sends them when told to, and reports. It is
 * a process of its own, so that its CPU time stands apart from that of the servers, and it ends with its parent.
 */
import * as E from 'fp-ts/lib/Either.js';
import { createDeliveryPool, type DeliveryPool } from './delivery-pool.ts';
import { LoadMessage } from './load-protocol.ts';
import { runLoad } from './load-run.ts';

let pool: DeliveryPool | null = null;

const answer = async (message: LoadMessage): Promise<object> => {
  if (message.kind === 'prepare') {
    // The old pool goes first: two at once would double the memory of the run's largest process.
    pool = null;
    pool = createDeliveryPool(message);
    return { kind: 'prepared', bodyBytes: pool.bodyBytes };
  }
  if (pool === null) throw new Error('told to run before anything was prepared');
  return { kind: 'ran', ...(await runLoad(pool, message)) };
};

process.on('message', (received: unknown) => {
  const message = LoadMessage.decode(received);
  if (E.isLeft(message)) throw new Error('told something that is not in the protocol');
  answer(message.right).then(
    (reply) => process.send?.(reply),
    (reason: unknown) => {
      process.stderr.write(`load generator: ${reason instanceof Error ? reason.message : String(reason)}\n`);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(0));
