import { AGE_CLASSES, type AgeClass } from '../../../projections/match/ageing.ts';
import { DECISIONS } from '../../../projections/match/decision.ts';
import { ItemIdText } from '../../../projections/match/item-id.ts';
import { branded } from '../../domain/brand.ts';
import { parseBusinessDay, type BusinessDay } from '../../domain/business-day.ts';
import { isSha256 } from '../../domain/ids.ts';
import { anyText, oneOf, parameter } from '../../queries/parameters/parameters.ts';
import { MATCH_LIST_PARAMETERS } from '../../queries/reconciliation/reconciliation-parameters.ts';

const { position: _position, limit: _limit, ...OF_LIST } = MATCH_LIST_PARAMETERS;

/** What chooses the items on the page. */
export const CHOOSING = {
  ...OF_LIST,
  age: parameter('Items of this age in days.', oneOf(AGE_CLASSES)),
  text: parameter("An order id, UTR, hash or line id, or a line's reference.", anyText),
} as const;

/** Names of what chooses them, for the way back to the list. */
export const LIST_NAMES: readonly string[] = Object.keys(CHOOSING);

const itemId = {
  ...anyText,
  expected: 'the id of an item',
  read: (text: string) => (ItemIdText.is(text) ? text : null),
} as const;

const { text: _text, account: _account, ...OF_ADDRESS } = CHOOSING;

/** What may stand in a URL of it: neither a text that is searched for, which may be an e-mail address, nor an account. */
export const CHOOSING_IN_ADDRESS = OF_ADDRESS;

/** What was just done in the list; it stands in the URL of whichever page shows it. */
export const DONE_PARAMETERS = {
  decided: parameter('The item that was just decided on.', itemId),
  unsaid: parameter('The item that nothing was decided on, since nobody said why.', itemId),
  as: parameter('What was decided on it.', oneOf(DECISIONS)),
} as const;

/** What may stand in the URL of the page: beside the list's what was just done. */
export const PAGE_PARAMETERS = {
  ...CHOOSING_IN_ADDRESS,
  ...DONE_PARAMETERS,
  imported: parameter('The file that was just imported.', {
    ...anyText,
    expected: 'the id of a file',
    read: (text) => (isSha256(text) ? text : null),
  }),
  again: parameter(
    'That it was imported before: as it is read now, or otherwise.',
    oneOf(['alike', 'otherwise'] as const),
  ),
} as const;

const MS_PER_DAY = 86_400_000;

const daysBefore = (today: BusinessDay, days: number): BusinessDay => {
  const text = new Date(Date.parse(`${today}T00:00:00Z`) - days * MS_PER_DAY).toISOString().slice(0, 10);
  return parseBusinessDay(text) ?? branded<BusinessDay>(today);
};

/** The days that an age stands for on a day; null: without an end. */
export const daysOfAge = (
  age: AgeClass,
  today: BusinessDay,
): { readonly from: BusinessDay | null; readonly to: BusinessDay | null } => {
  const [youngest = '0', oldest] = age.split('-');
  return {
    from: oldest === undefined ? null : daysBefore(today, Number(oldest)),
    // What lies ahead is as young as can be.
    to: youngest === '0' ? null : oldest === undefined ? daysBefore(today, 31) : daysBefore(today, Number(youngest)),
  };
};
