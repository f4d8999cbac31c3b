import { AsyncLocalStorage } from 'node:async_hooks';

const askers = new AsyncLocalStorage<string>();

/** Does what somebody asked for, so that `asker` names them wherever that leads. */
export const askedBy = <A>(who: string, work: () => Promise<A>): Promise<A> => askers.run(who, work);

/** For whom the present work is done, by the id of their key; empty where the ledger does it for itself. */
export const asker = (): string => askers.getStore() ?? '';
