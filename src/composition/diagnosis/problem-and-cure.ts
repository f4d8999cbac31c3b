/** What is wrong with a thing, and what to do about it. */
export type Trouble = { readonly detail: string; readonly cure: string };

/**
 * A line for operators, which says what is wrong and, behind its last semicolon, what to do
 * (docs/spec/configuration.md, Environment), in its two parts.
 * @param usual what to do where the line does not say
 */
export const problemAndCure = (line: string, usual: string): Trouble => {
  const at = line.lastIndexOf('; ');
  return at < 0 ? { detail: line, cure: usual } : { detail: line.slice(0, at), cure: line.slice(at + 2) };
};
