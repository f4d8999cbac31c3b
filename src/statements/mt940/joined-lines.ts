/** A line as long as this was cut by the width of the field (65 in the standard), not by its author. */
const FULL = 60;

/**
 * Text of wrapped lines: what the width cut in two is joined without a blank, other lines with one.
 *
 * @param full from which length on a line was cut
 */
export const joinWrapped = (lines: readonly string[], full = FULL): string =>
  lines.reduce((text, line, at) => {
    const before = lines[at - 1] ?? '';
    return at === 0 ? line : before.length >= full ? text + line : `${text} ${line.trimStart()}`;
  }, '');

/** What looks like a reference: eight or more letters and digits, with a digit. */
const CANDIDATE = /^(?=[A-Za-z]*\d)[A-Za-z\d]{8,35}$/;

/**
 * The last word of each line and the first of the next, with one blank between them, where no blank parts the two lines
 * anyway: the joining may have glued them to one another.
 */
export const joints = (lines: readonly string[]): readonly string[] => {
  const said = lines.filter((line) => line !== '');
  return said.flatMap((line, at) => {
    const before = line.slice(line.lastIndexOf(' ') + 1);
    const behind = said[at + 1]?.split(' ', 1)[0] ?? '';
    return before === '' || behind === '' ? [] : [`${before} ${behind}`];
  });
};

/** Those words beside wraps that look like references. */
export const wordsAtJoints = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line, at) => {
    const next = lines[at + 1];
    if (next === undefined) return [];
    return [line.slice(line.lastIndexOf(' ') + 1), next.split(' ', 1)[0] ?? ''].filter((word) => CANDIDATE.test(word));
  });
