/** A text without what it ends in of these characters. A loop: a pattern that ends in `+$` is easily quadratic. */
export const trimmedEnd = (text: string, characters: string): string => {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
};
