/** The page of the months. */
export const PERIODS_PATH = '/console/periods';

/** The page of a month. */
export const periodPath = (month: string): string => `${PERIODS_PATH}/${encodeURIComponent(month)}`;

/** A closed month on paper. */
export const periodPrintPath = (month: string): string => `${periodPath(month)}/print`;

/** A closed month as a workbook. */
export const periodFilePath = (month: string): string => `/console/files/periods/${encodeURIComponent(month)}`;
