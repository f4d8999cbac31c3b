/** What was found as a list, which is empty where nothing was. */
export const present = <A>(found: A | null): readonly A[] => (found === null ? [] : [found]);
