/** The page of the match. */
export const RECONCILIATION_PATH = '/console/reconciliation';

/** The items that the page shows, as a file. */
export const ITEMS_FILE_PATH = '/console/files/reconciliation';
