/**
 * What became of a delivery in quarantine: `open`, nothing yet; `closed`, somebody said that nothing more is to be done;
 * `released`, it is part of its order (docs/spec/domain.md, Closing a quarantined delivery).
 */
export const QUARANTINE_STATES = ['open', 'closed', 'released'] as const;

export type QuarantineState = (typeof QUARANTINE_STATES)[number];
