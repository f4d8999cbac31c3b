import { branded } from '../domain/brand.ts';
import { readArray } from './stored-array.ts';
import type { Utr } from '../domain/ids.ts';

/** Reads a JSON array of references; none for null. */
export const readUtrs = (text: string | null): readonly Utr[] => {
  const utrs = text === null ? null : readArray(text);
  return (utrs ?? []).flatMap((utr) => (typeof utr === 'string' && utr !== '' ? [branded<Utr>(utr)] : []));
};
