import { AsyncLocalStorage } from 'node:async_hooks';
import type { Reader } from './reader.ts';

const askers = new AsyncLocalStorage<Reader>();

/** Does what somebody asked for, so that `asker` names them wherever that leads. */
export const askedBy = <A>(reader: Reader, work: () => Promise<A>): Promise<A> => askers.run(reader, work);

/** For whom the present work is done, by the id of their key; empty where the ledger does it for itself. */
export const asker = (): string => askers.getStore()?.keyId ?? '';

/** Whether somebody waits for what the present work makes; the ledger itself always. */
export const isAwaited = (): boolean => askers.getStore()?.isGone?.() !== true;

/** Whether whoever the present work is done for may still have it done; the ledger itself always. */
export const mayStillAsk = (): boolean => askers.getStore()?.mayRead() ?? true;
