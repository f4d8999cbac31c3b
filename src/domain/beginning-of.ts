/** The beginning of a text, of so many UTF-16 units at most; a character that takes two is not cut in two. */
export const beginningOf = (text: string, most: number): string => {
  const cut = text.slice(0, most);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
};
