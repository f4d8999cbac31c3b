import { exchange } from './exchange.ts';
import { until } from './until.ts';

const WITHIN_MS = 15_000;

/** Waits until a ledger is connected to its event store: deliveries that come before go to the spool. */
export const storeConnected = async (url: string): Promise<void> => {
  await until(WITHIN_MS, 'the event store to be connected', async () =>
    (await exchange(url, { path: '/metrics' })).text.includes('\nramp_ledger_event_store_up 1\n') ? true : null,
  );
};
