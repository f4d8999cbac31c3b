/** What a measured stretch of appends consists of. */
export type AppendKind = 'unary' | 'distinct' | 'four' | 'duplicates' | 'forgotten' | 'batch' | 'http';

type Rules = {
  readonly title: string;
  /**
   * Whether its rate is divided by that of the baseline, `unary`, of the same round, which sends the same number and
   * kind.
   */
  readonly hasRatio: boolean;
};

export const APPEND_KINDS: Readonly<Record<AppendKind, Rules>> = {
  unary: { title: 'raw client, unary', hasRatio: false },
  distinct: { title: 'ledger, distinct orders', hasRatio: true },
  four: { title: 'ledger, four an order', hasRatio: true },
  duplicates: { title: 'ledger, all duplicates', hasRatio: false },
  forgotten: { title: '  as after a restart', hasRatio: false },
  batch: { title: 'raw client, batch', hasRatio: false },
  http: { title: 'ledger over HTTP, distinct', hasRatio: false },
};
