/** What a document may write in an output instead of what differs from run to run, and what stands there then. */
const STAND_INS: Readonly<Record<string, string>> = {
  '<time>': String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`,
  '<today>': String.raw`\d{4}-\d\d-\d\d`,
  '<month>': String.raw`\d{4}-\d\d`,
  '<uuid>': '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  '<sha256>': '[0-9a-f]{64}',
  '<n>': String.raw`\d+`,
  // Left out for the reader's sake: a part of a line.
  '…': String.raw`.+`,
};

const STAND_IN = /(<time>|<today>|<month>|<uuid>|<sha256>|<n>|…)/;

const patternOf = (line: string): string =>
  line
    .split(STAND_IN)
    .map((part) => STAND_INS[part] ?? RegExp.escape(part))
    .join('');

/**
 * What an output must be that a document shows: every line to the letter but for the stand-ins; a line of `…` alone stands for
 * any lines. An output of stand-ins alone would say nothing and is refused.
 */
export const shownOutput = (shown: string): RegExp => {
  const lines = shown.split('\n');
  if (
    shown !== '' &&
    lines.every((line) => line.split(STAND_IN).every((part) => part in STAND_INS || part.trim() === ''))
  ) {
    throw new Error(`an output that shows nothing: ${shown}`);
  }
  const patterns = lines.map((line, i) => {
    const end = i === lines.length - 1 ? '' : String.raw`\n`;
    return line.trim() === '…' ? `(?:.*(?:\\n|$))*?` : patternOf(line) + end;
  });
  return new RegExp(`^${patterns.join('')}$`);
};
