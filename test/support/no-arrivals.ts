import type { ReceiveDeps } from '../../src/webhooks/receive-delivery.ts';

/** For tests that look at no counts. */
export const NO_ARRIVALS: Pick<ReceiveDeps, 'arrivals' | 'peerOf'> = {
  arrivals: { count: () => undefined, refuse: () => undefined },
  peerOf: () => '',
};
