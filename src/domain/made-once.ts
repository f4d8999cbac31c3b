/** Makes something when it is first asked for: what few need, and what takes long to make, costs no start anything. */
export const madeOnce = <A extends object>(make: () => A): (() => A) => {
  let made: A | null = null;
  return () => (made ??= make());
};
