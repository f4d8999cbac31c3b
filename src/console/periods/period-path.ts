/** The page of the months. */
export const PERIODS_PATH = '/console/periods';

/** The page of a month. */
export const periodPath = (month: string): string => `${PERIODS_PATH}/${encodeURIComponent(month)}`;
