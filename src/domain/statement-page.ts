import * as t from 'io-ts';

/** What a statement says of itself as one of several pages. */
export type StatementPage = {
  /** Whether it opens with the balance with which a page before it ended, as the bank says (60M, ITBD). */
  readonly isFollowing: boolean;
  /** Whether it closes with the balance with which a page behind it begins (62M, ITBD). */
  readonly isFollowed: boolean;
  /** The number of the statement that it is a page of, and its own; null where the bank writes none. */
  readonly numbered: { readonly statement: string; readonly page: number } | null;
};

/** Whether a value is a page as events keep it. */
export const StatementPageData: t.Type<StatementPage> = t.type({
  isFollowing: t.boolean,
  isFollowed: t.boolean,
  numbered: t.union([t.type({ statement: t.string, page: t.number }), t.null]),
});
