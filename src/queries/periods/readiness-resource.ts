import * as t from 'io-ts';
import { described } from '../../openapi/described.ts';
import { count, oneOfWords, text, textOrNull } from '../resources/values.ts';
import { CHECK_NAMES, type Readiness } from './readiness-check.ts';

/** What is left to do before a month is closed (docs/spec/http.md, Periods). */
export const ReadinessResource = t.strict(
  {
    ready: described(t.boolean, 'Whether every check is well.'),
    checks: t.readonlyArray(
      t.strict({
        name: oneOfWords(CHECK_NAMES, 'What was looked at.'),
        ok: described(t.boolean, 'Whether it is well.'),
        count: count('How many things are not.'),
        detail: text('For people.'),
        link: textOrNull('Where they are listed; null: nowhere, or there are none.'),
      }),
    ),
  },
  'PeriodReadiness',
);

export const readinessResource = ({ ready, checks }: Readiness): t.TypeOf<typeof ReadinessResource> => ({
  ready,
  checks,
});
