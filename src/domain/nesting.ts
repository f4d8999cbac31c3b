const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;
const BRACE = 0x7b;
const BRACE_END = 0x7d;

/** Whether a text has at most so many opening brackets and braces: found natively, far quicker than by looking at each character. */
const opensAtMost = (text: string, most: number): boolean => {
  let opened = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      opened += 1;
      if (opened > most) return false;
    }
  }
  return true;
};

/**
 * Whether a JSON text nests at most so many levels, members that a duplicate of their name hides from a parser
 * included. Without recursion, so that any depth can be judged.
 */
export const nestsWithin = (text: string, levels: number): boolean => {
  if (opensAtMost(text, levels)) return true;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) {
      inString = true;
    } else if (code === BRACE || code === BRACKET) {
      depth += 1;
      if (depth > levels) return false;
    } else if (code === BRACE_END || code === BRACKET_END) {
      depth -= 1;
    }
  }
  return true;
};
