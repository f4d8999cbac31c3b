import type { Decimal } from '../domain/decimal.ts';
import { exactOf, plainText } from '../domain/exact.ts';
import type { ReadStatement } from './read-statement.ts';

/** A statement as a step of what its account had. Figures are in one spelling, so that equal ones are equal texts. */
export type Step = {
  readonly opening: Decimal;
  readonly closing: Decimal;
  readonly from: string;
  readonly to: string;
  /** Whether it is a page whose balance is told by another one too. */
  readonly isFollowing: boolean;
  readonly isFollowed: boolean;
};

/** A balance in one spelling. */
export const figureOf = (balance: Decimal): string => plainText(exactOf(balance));

/** The steps of statements, as far as these have both balances. */
export const stepsOf = (statements: readonly ReadStatement[]): readonly Step[] =>
  statements.flatMap(({ opening, closing, isFollowing, isFollowed }) =>
    opening === null || closing === null
      ? []
      : [{ opening, closing, from: figureOf(opening), to: figureOf(closing), isFollowing, isFollowed }],
  );

/** How many more steps begin at a figure than end there, for each figure at which these are not as many. */
const surplus = (steps: readonly Step[]): readonly (readonly [figure: string, more: number])[] => {
  const more = new Map<string, number>();
  for (const { from, to } of steps) {
    more.set(from, (more.get(from) ?? 0) + 1);
    more.set(to, (more.get(to) ?? 0) - 1);
  }
  return [...more].filter(([, count]) => count !== 0);
};

/** Whether any figure leads to any other one, forwards or backwards. */
const areJoined = (steps: readonly Step[]): boolean => {
  const beside = new Map<string, string[]>();
  const join = (figure: string, other: string): void => {
    const known = beside.get(figure);
    if (known === undefined) beside.set(figure, [other]);
    else known.push(other);
  };
  for (const { from, to } of steps) {
    join(from, to);
    join(to, from);
  }
  const reached = new Set([...beside.keys()].slice(0, 1));
  // What is added to a set while it is gone through is gone through too.
  for (const figure of reached) for (const other of beside.get(figure) ?? []) reached.add(other);
  return reached.size === beside.size;
};

/** Of figures at which steps may begin that come back there, those of pages that stand at an end, where pages say so. */
const ofEnds = (steps: readonly Step[]): ReadonlySet<string> => {
  const all = new Set(steps.map(({ from }) => from));
  const begun = new Set(steps.flatMap(({ from, isFollowing }) => (isFollowing ? [] : [from])));
  const ended = new Set(steps.flatMap(({ to, isFollowed }) => (isFollowed ? [] : [to])));
  return [begun, ended].reduce((left, ends) => (ends.size === 0 ? left : left.intersection(ends)), all);
};

/**
 * Where steps begin and end that can be taken one after the other, all of them and each once (Euler's condition on a trail in a
 * directed graph): `start` are the figures at which they may begin. From one they end at `end`; where they come back to where
 * they began, `end` is null, and they may begin at several. Null where they can't be taken in any order.
 */
export const trailOf = (
  steps: readonly Step[],
): { readonly start: ReadonlySet<string>; readonly end: string | null } | null => {
  if (!areJoined(steps)) return null;
  const [one, other, ...others] = surplus(steps);
  if (one === undefined) return { start: ofEnds(steps), end: null };
  if (other === undefined || others.length > 0 || Math.abs(one[1]) > 1) return null;
  const [[start], [end]] = one[1] > 0 ? [one, other] : [other, one];
  return { start: new Set([start]), end };
};
