let times = 1;

/** How often a property is looked at: so often with `npm test`, and ten times as often with `npm run test:long`. */
export const runs = (usual: number): number => usual * times;

/** For test files that are loaded after this call. */
export const lookTenTimes = (): void => {
  times = 10;
};
