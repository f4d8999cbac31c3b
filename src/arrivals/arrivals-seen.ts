import * as t from 'io-ts';

/** How often each outcome came: what deliveries are answered with, or the code that they are refused with. */
export type OutcomeCounts = Readonly<Record<string, number>>;

const Counts = t.record(t.string, t.number);

const Refused = t.type({
  /** When it was answered, in ms since 1970. */
  atMs: t.number,
  code: t.string,
  /** The address that it came from, as far as that is known. */
  peer: t.string,
  /** The order that its body names; nobody has proved it. Null where none can be told. */
  orderId: t.union([t.string, t.null]),
  /** Whether the signature is right for the body written again as JSON: something on the way wrote it anew. */
  rewritten: t.boolean,
});

/** A delivery that was refused; nothing of it is proved, and its body is kept nowhere. */
export type RefusedDelivery = t.TypeOf<typeof Refused>;

/** What arrived: counted for ever, by stretches of the last day, and the last refused ones. */
export const ArrivalsSeen = t.type({
  version: t.literal(1),
  totals: Counts,
  /** By the ms since 1970 at which the stretch began, the oldest first. */
  stretches: t.array(t.tuple([t.number, Counts])),
  /** The oldest first. */
  refused: t.array(Refused),
});

export type ArrivalsSeen = t.TypeOf<typeof ArrivalsSeen>;

export const NOTHING_SEEN: ArrivalsSeen = { version: 1, totals: {}, stretches: [], refused: [] };

/** The outcomes of deliveries that were accepted. */
export const ACCEPTED = ['recorded', 'duplicate', 'conflict', 'quarantined', 'spooled'] as const;

/** What arrived since a moment. */
export const countsSince = ({ stretches }: ArrivalsSeen, sinceMs: number): OutcomeCounts => {
  const sums = new Map<string, number>();
  for (const [fromMs, counts] of stretches) {
    if (fromMs < sinceMs) continue;
    for (const [outcome, count] of Object.entries(counts)) sums.set(outcome, (sums.get(outcome) ?? 0) + count);
  }
  return Object.fromEntries(sums);
};

const isAccepted = (outcome: string): boolean => ACCEPTED.some((accepted) => accepted === outcome);

/** How many of some were accepted, and how many refused. */
export const parted = (counts: OutcomeCounts): { readonly accepted: number; readonly refused: number } => {
  let [accepted, refused] = [0, 0];
  for (const [outcome, count] of Object.entries(counts)) {
    if (isAccepted(outcome)) accepted += count;
    else refused += count;
  }
  return { accepted, refused };
};
