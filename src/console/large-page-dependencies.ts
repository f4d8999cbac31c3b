import type { QueryDependencies } from '../queries/query-dependencies.ts';

/** What pages stand on that may be large, and are made in another thread where there is one. */
export type LargePageDependencies = Pick<
  QueryDependencies,
  'store' | 'readModels' | 'calendar' | 'secretKey' | 'proofs' | 'matchDueDays' | 'now' | 'isAdjusted'
>;
