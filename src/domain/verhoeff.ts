/** What one place further on moves a digit to. */
const MOVED = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4] as const;

/** Places after which the moves are the same again. */
const MOVES = 8;

/** The product of two turns or reflections of a pentagon, by the digits that stand for them: 0 to 4 turn, 5 to 9 reflect. */
const product = (a: number, b: number): number => {
  if (a < 5) return b < 5 ? (a + b) % 5 : ((a + b) % 5) + 5;
  return b < 5 ? ((a - b) % 5) + 5 : (a - b + 5) % 5;
};

const movedBy = (digit: number, moves: number): number => (moves === 0 ? digit : movedBy(MOVED[digit] ?? 0, moves - 1));

/** Whether the last of some digits is the check digit of those before it by Verhoeff's scheme, as an Aadhaar has one. */
export const hasVerhoeffDigit = (digits: string): boolean =>
  Array.from(digits)
    .toReversed()
    .reduce((sum, digit, place) => product(sum, movedBy(Number(digit), place % MOVES)), 0) === 0;
