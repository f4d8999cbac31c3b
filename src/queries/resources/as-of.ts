import * as t from 'io-ts';
import type { AsOf } from '../../read-models/read-models.ts';
import { instantOrNull, textOrNull } from './values.ts';

/** Up to which event an answer is. */
export const AsOfResource = t.strict(
  {
    position: textOrNull('The last event that is included; null before the first.'),
    at: instantOrNull('When it was recorded.'),
  },
  'AsOf',
);

export const asOfResource = ({ checkpoint }: AsOf): t.TypeOf<typeof AsOfResource> => ({
  position: checkpoint?.position ?? null,
  at: checkpoint?.at ?? null,
});
