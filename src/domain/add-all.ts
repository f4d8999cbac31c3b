/**
 * Adds items to a list, however many: as the arguments of one `push` more than about a hundred thousand of them, as lines of one bank
 * file, end in a RangeError of the stack.
 */
export const addAll = <A>(list: A[], items: Iterable<A>): void => {
  for (const item of items) list.push(item);
};
