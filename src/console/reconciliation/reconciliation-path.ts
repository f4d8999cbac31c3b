/** The page of the match. */
export const RECONCILIATION_PATH = '/console/reconciliation';

/** The same page of what is searched for, which is posted. */
export const RECONCILIATION_SEARCH_PATH = '/console/reconciliation/search';

/** The items that the page shows, as a file. */
export const ITEMS_FILE_PATH = '/console/files/reconciliation';
