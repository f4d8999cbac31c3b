import type { ImportedAs } from '../../queries/statements/imported-as.ts';

/** `ACC-1 in INR`, or that it is of several accounts. */
export const importedAsText = ({ account, currency }: ImportedAs): string =>
  `${account ?? 'several accounts'}${currency === null ? '' : ` in ${currency}`}`;
