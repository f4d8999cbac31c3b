const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** A stretch of time for people, in its two greatest units: `2 d 4 h`, `35 s`. Less than a second is `0 s`. */
export const durationText = (milliseconds: number): string => {
  let left = Math.max(0, Math.floor(milliseconds / 1000));
  const parts: string[] = [];
  for (const [unit, seconds] of UNITS) {
    const count = Math.floor(left / seconds);
    left -= count * seconds;
    if (count > 0) parts.push(`${count} ${unit}`);
    else if (parts.length > 0) break;
  }
  return parts.length === 0 ? '0 s' : parts.slice(0, 2).join(' ');
};
