import { shortDigest } from '../../../domain/short-digest.ts';

/** What an exact term is indexed by; rows that it finds are compared with the text itself. */
export const termOf = shortDigest;
