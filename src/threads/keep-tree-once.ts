import type { MessagePort } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import { openKeeper } from './kept-log.ts';
import { openStoreBeside } from './open-store-beside.ts';
import { projectorProtocol, type ProjectorOptions } from './projector-message.ts';
import { threadEnd } from './serve-thread.ts';

/** Resolves when the thread is told to end. */
const toldToEnd = (port: MessagePort): Promise<void> =>
  new Promise((resolve) => {
    port.on('message', (message: unknown) => {
      if (projectorProtocol.isToThread(message) && message._tag === 'Close') resolve();
    });
  });

/**
 * Brings the tree of the log level with it and signs that, in a thread that can open no read models, and will die of that: the
 * tree needs none. Each of its lives does so once. Where the store can't be opened either there is nothing to read.
 */
export const keepTreeOnce = async (port: MessagePort, options: ProjectorOptions): Promise<void> => {
  const store = await openStoreBeside(options.location);
  if (E.isLeft(store)) return;
  const { tell } = threadEnd(port, projectorProtocol);
  const keeper = openKeeper(options, store.right, tell, () => Promise.resolve());
  const started = keeper?.start() ?? Promise.resolve();
  await Promise.race([started, toldToEnd(port)]);
  // A question to a server that does not answer would hold up the end.
  const isServer = options.location.kind === 'eventstoredb';
  await Promise.all([keeper?.close(), isServer ? store.right.close() : undefined]);
  if (!isServer) await store.right.close();
};
