import * as t from 'io-ts';
import { sha256 } from '../sha256.ts';
import type { OwnKind } from './own-kind.ts';

/** Data of a `MatchDecided`. */
export type MatchDecidedData = { readonly itemId: string };

export const MATCH_DECIDED: OwnKind<'MatchDecided', MatchDecidedData> = {
  type: 'MatchDecided',
  data: t.type({ itemId: t.string }),
  stream: 'match',
  about: ({ itemId }) => itemId,
  parts: (data) => [sha256(JSON.stringify(data))],
};
