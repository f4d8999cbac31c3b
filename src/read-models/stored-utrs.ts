import { readArray } from './stored-array.ts';
import { UtrText, type Utr } from '../domain/ids.ts';

/** Reads a JSON array of references; none for null. */
export const readUtrs = (text: string | null): readonly Utr[] => {
  const utrs = text === null ? null : readArray(text);
  return (utrs ?? []).filter(UtrText.is);
};
