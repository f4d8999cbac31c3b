export { differences, type Difference } from './differences.ts';
export { foldPeriod, type Closed, type Period } from './period.ts';
