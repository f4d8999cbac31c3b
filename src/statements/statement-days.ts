import type { BusinessDay } from '../domain/business-day.ts';
import type { ReadStatement } from './read-statement.ts';

/** The earliest of days, as far as there are any. */
export const earliest = (days: readonly (BusinessDay | null)[]): BusinessDay | null =>
  days.reduce((first, day) => (first === null || (day !== null && day < first) ? day : first), null);

/** The latest of days, as far as there are any. */
export const latest = (days: readonly (BusinessDay | null)[]): BusinessDay | null =>
  days.reduce((last, day) => (last === null || (day !== null && day > last) ? day : last), null);

type Dated = { readonly statement: ReadStatement; readonly first: BusinessDay; readonly last: BusinessDay };

/** The days that a statement says it is of, else those of its lines; none where it has neither. */
const dated = (statement: ReadStatement): readonly Dated[] => {
  const days = [statement.from ?? statement.lines.firstDay, statement.to ?? statement.lines.lastDay];
  const [first, last] = [earliest(days), latest(days)];
  return first === null || last === null ? [] : [{ statement, first, last }];
};

const inOrder = (a: Dated, b: Dated): number =>
  a.first === b.first ? (a.last < b.last ? -1 : Number(a.last > b.last)) : a.first < b.first ? -1 : 1;

/** The day from which the earliest of statements are, as far as they say one. */
export const firstFrom = (statements: readonly ReadStatement[]): BusinessDay | null => {
  const its = statements.flatMap(dated);
  const day = earliest(its.map(({ first }) => first));
  return earliest(its.map(({ first, statement }) => (first === day ? statement.from : null)));
};

/** The day to which the latest of statements are, as far as they say one. */
export const lastTo = (statements: readonly ReadStatement[]): BusinessDay | null => {
  const its = statements.flatMap(dated);
  const day = latest(its.map(({ last }) => last));
  return latest(its.map(({ last, statement }) => (last === day ? statement.to : null)));
};

/**
 * Statements of one account in groups, the earliest first: of any two groups the days tell which one is earlier, and within a
 * group nothing does. A statement may begin on the day on which the one before it ended, as field 60 of MT940 does. Those
 * without any day are left out.
 */
export const groupedByDays = (statements: readonly ReadStatement[]): readonly (readonly ReadStatement[])[] => {
  const groups: { readonly first: BusinessDay; last: BusinessDay; readonly its: ReadStatement[] }[] = [];
  for (const { statement, first, last } of statements.flatMap(dated).toSorted(inOrder)) {
    const group = groups.at(-1);
    if (group === undefined || (first >= group.last && last > group.first))
      groups.push({ first, last, its: [statement] });
    else {
      group.its.push(statement);
      if (last > group.last) group.last = last;
    }
  }
  return groups.map(({ its }) => its);
};
