import * as t from 'io-ts';

/** The fields are those of `Filling`. */
export const FillingCodec = t.type({
  orders: t.number,
  steps: t.union([t.literal('all'), t.literal('some-open'), t.literal('mostly-last')]),
  run: t.string,
  from: t.number,
  until: t.number,
});

/** What the filling process is told. */
export const FillOrder = t.type({
  location: t.type({ dataDir: t.string, file: t.string }),
  filling: FillingCodec,
});
export type FillOrder = t.TypeOf<typeof FillOrder>;

/** What it answers when the store is closed. */
export const FillAnswer = t.type({ events: t.number });
export type FillAnswer = t.TypeOf<typeof FillAnswer>;
