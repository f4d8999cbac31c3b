/** A figure over the rounds of a run. */
export type Spread = { readonly median: number; readonly min: number; readonly max: number };

export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1] ?? NaN, sorted[Math.floor(middle)] ?? NaN];
  return (low + high) / 2;
};

/** To four digits behind the point. */
export const spreadOf = (values: readonly number[]): Spread => ({
  median: rounded(median(values), 4),
  min: rounded(Math.min(...values), 4),
  max: rounded(Math.max(...values), 4),
});
