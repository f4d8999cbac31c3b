import * as t from 'io-ts';

/** The two processes of a load run talk in these messages: one order, one answer, one after the other. */
const IngestModeName = t.union([t.literal('distinct'), t.literal('duplicates'), t.literal('four')]);

/** Write and sign requests; answered with `PreparedMessage`. The fields are those of `PoolOrder`. */
const PrepareOrder = t.type({
  kind: t.literal('prepare'),
  mode: IngestModeName,
  from: t.number,
  count: t.number,
  run: t.string,
  startedAt: t.number,
  secret: t.string,
});

/** Send what was prepared; answered with `RanMessage`. The fields are those of `LoadOrder`. */
const RunOrder = t.type({
  kind: t.literal('run'),
  host: t.string,
  port: t.number,
  connections: t.number,
  outcome: t.string,
  deliveries: t.number,
  seconds: t.number,
  perSecond: t.union([t.number, t.null]),
});

export const LoadMessage = t.union([PrepareOrder, RunOrder]);
export type LoadMessage = t.TypeOf<typeof LoadMessage>;

export const PreparedMessage = t.type({ kind: t.literal('prepared'), bodyBytes: t.number });

export const RanMessage = t.type({
  kind: t.literal('ran'),
  deliveries: t.number,
  seconds: t.number,
  latency: t.type({ counts: t.array(t.number), maxMs: t.number }),
  failures: t.record(t.string, t.type({ count: t.number, sample: t.string })),
});
export type RanMessage = t.TypeOf<typeof RanMessage>;
