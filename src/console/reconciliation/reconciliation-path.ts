/** The page of the match. */
export const RECONCILIATION_PATH = '/console/reconciliation';
