import * as t from 'io-ts';
import { LineKeyText, type LineKey } from '../line-key.ts';
import type { OwnKind } from './own-kind.ts';

/** Data of a `LineIdsKeyed`: from then on ids of new bank lines are made with this key (docs/spec/statements.md, A line). */
export type LineIdsKeyedData = { readonly key: LineKey };

/** What the stream of the key is about. No bank file's digest is like it. */
export const LINE_IDS = 'line-ids';

/**
 * There is one of it in a log. Its stream is of a kind that older programs know, so that those that stand beside newer ones
 * on one store have it in their tree too; and its id says nothing of the key.
 */
export const LINE_IDS_KEYED: OwnKind<'LineIdsKeyed', LineIdsKeyedData> = {
  type: 'LineIdsKeyed',
  data: t.type({ key: LineKeyText }),
  stream: 'statement',
  about: () => LINE_IDS,
  parts: () => [],
};
