import * as t from 'io-ts';
import type { Period } from '../../../projections/periods/index.ts';
import type { Month } from '../../domain/month.ts';
import type { UnreadableEvent } from '../../domain/unreadable-event.ts';
import { described } from '../../openapi/described.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { shownText } from '../masking/shown-text.ts';
import { pageOf } from '../resources/page.ts';
import { instant, instantOrNull, oneOfWords, sha256, text, textOrNull } from '../resources/values.ts';

const Digest = t.strict({
  sha256: sha256('Of the bytes that the report of the month answers as JSON by creation, without groups.'),
});

/** A month as callers see it (docs/spec/http.md, Periods). */
export const PeriodResource = t.strict(
  {
    period: described(t.string, 'The month.', { pattern: String.raw`^\d{4}-\d{2}$` }),
    timeZone: text('The zone that its days are of; a closed month keeps it.'),
    state: oneOfWords(
      ['open', 'closed', 'unreadable'],
      'Whether its figures are fixed; `unreadable`, in the list alone, where that can not be read.',
    ),
    closedAt: instantOrNull('When it was closed; null: it is open.'),
    closedBy: textOrNull('The id of the API key that closed it, or `command-line`.'),
    note: textOrNull('What was noted at the close.'),
    position: textOrNull('The last event that the closed figures include, as the store of that day named it.'),
    checkpoint: textOrNull('The newest signed checkpoint of the log when it was closed; null: there was none.'),
    reports: described(
      t.union([t.strict({ onramp: Digest, offramp: Digest }), t.null]),
      'Digests of the closed reports; null: it is open.',
    ),
    adjusted: described(t.boolean, 'Whether it is closed and would be reported otherwise now.'),
    unreadable: described(
      t.union([t.strict({ stream: t.string, revision: t.number, problem: t.string }), t.null]),
      'The event that keeps it from being read; null: none does.',
    ),
    history: t.readonlyArray(
      t.strict({
        at: instant('When.'),
        by: text('The id of the API key, or `command-line`.'),
        what: oneOfWords(['closed', 'reopened'], 'What was done.'),
        note: text('What was noted.'),
      }),
    ),
  },
  'Period',
);

export type PeriodResource = t.TypeOf<typeof PeriodResource>;

export const PeriodPageResource = pageOf(PeriodResource, 'PeriodPage');

/** A month for a caller. */
export const periodResource = (
  { period, closed, history }: Period,
  timeZone: string,
  adjusted: boolean,
  personal: PersonalData,
): PeriodResource => ({
  period,
  timeZone: closed?.data.timeZone ?? timeZone,
  state: closed === null ? 'open' : 'closed',
  closedAt: closed?.at ?? null,
  closedBy: closed?.by ?? null,
  note: closed === null ? null : shownText(closed.data.note, personal),
  position: closed?.data.asOf?.position ?? null,
  checkpoint: closed?.data.checkpoint ?? null,
  reports: closed?.data.reports ?? null,
  adjusted,
  unreadable: null,
  history: history.map(({ note, ...deed }) => ({ ...deed, note: shownText(note, personal) })),
});

/**
 * What a key that may not read months sees of one that it has just changed: of what was done and noted, its own alone.
 *
 * @param by the id of the key
 */
export const ownDeedsIn = (month: PeriodResource, by: string): PeriodResource => ({
  ...month,
  ...(month.closedBy === by ? {} : { closedAt: null, closedBy: null, note: null }),
  history: month.history.filter((deed) => deed.by === by),
});

/** A month of a list where an event of its stream can't be read. */
export const unreadablePeriodResource = (
  period: Month,
  timeZone: string,
  { stream, revision, problem }: UnreadableEvent,
): PeriodResource => ({
  period,
  timeZone,
  state: 'unreadable',
  closedAt: null,
  closedBy: null,
  note: null,
  position: null,
  checkpoint: null,
  reports: null,
  adjusted: false,
  unreadable: { stream, revision, problem },
  history: [],
});
