/** A kind of question that is measured by itself. */
export type QueryKind = {
  readonly name: string;
  /** The 99th percentile that is aimed at. */
  readonly goalMs: number;
  /** Asked by a caller who sees personal data; else by one who doesn't, for whom it is masked. */
  readonly personal: boolean;
  /** Path and query of the question number `n`, from 0: others of the same kind each time. */
  readonly path: (n: number) => string;
};

/** In ms at the 99th percentile. */
export const GOALS = { order: 5, list: 20, report: 50 } as const;

export type Parameters = Readonly<Record<string, string>>;

export const withQuery = (path: string, parameters: Parameters): string =>
  `${path}?${new URLSearchParams(parameters).toString()}`;

export const LIST = '/v1/orders';

/** How many a page of a list has. */
export const PAGE_SIZE = 50;

/** Path and query of a page of orders. */
export const listPath = (parameters: Parameters): string =>
  withQuery(LIST, { ...parameters, limit: String(PAGE_SIZE) });
