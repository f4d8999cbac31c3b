import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { KeeperOptions } from '../event-store/spool/keeper-message.ts';
import { SpoolKeeper } from '../event-store/spool/spool-keeper.ts';
import { ownBufferOf } from './own-buffer.ts';
import { threadEnd } from './serve-thread.ts';
import { isKeeperOptions, spoolProtocol } from './spool-message.ts';

const serve = (port: MessagePort, options: KeeperOptions): void => {
  const { answer, close } = new SpoolKeeper(options);
  threadEnd(port, spoolProtocol).serve({
    answer,
    transfer: (given) =>
      given._tag === 'Delivery' && given.delivery !== null ? ownBufferOf(given.delivery.verified.body) : [],
    onNote: (never) => never,
    close,
  });
};

if (parentPort !== null && isKeeperOptions(workerData)) serve(parentPort, workerData);
