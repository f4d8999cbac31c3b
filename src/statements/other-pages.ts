import { exactOrd } from '../domain/exact.ts';
import type { FileEnds } from './day-part.ts';

const isSame = exactOrd.equals;

/** Whether a page says that it goes on behind another one: the bank has booked both, whatever balances come back between them. */
const saysToGoOn = (later: FileEnds, earlier: FileEnds): boolean => {
  const [one, other] = [earlier.page, later.page];
  if (one === null || other === null || !one.isFollowed || !other.isFollowing) return false;
  const goesOn = isSame(earlier.closing, later.opening);
  const [its, next] = [one.numbered, other.numbered];
  if (its !== null && next !== null && its.statement === next.statement)
    // A day that was told again in other pages has other balances at the end of the same number.
    return next.page > its.page && (next.page > its.page + 1 || goesOn);
  // A page that was told again, under another number of a statement, says what it said before.
  const isItself =
    one.isFollowing === other.isFollowing &&
    one.isFollowed === other.isFollowed &&
    isSame(earlier.opening, later.opening) &&
    isSame(earlier.closing, later.closing);
  return goesOn && !isItself;
};

/** Whether two files say that they are two pages of one statement, one behind the other, so that they have no booking in common. */
export const areOtherPages = (a: FileEnds, b: FileEnds): boolean => saysToGoOn(a, b) || saysToGoOn(b, a);
