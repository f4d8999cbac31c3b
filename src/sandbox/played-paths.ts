import type { Flow } from '../domain/flow.ts';
import { awaitsExpiry, NAMED_PATHS, type Path } from './path.ts';

type PlayedPath = { readonly flow: Flow; readonly path: Path };

const named = (flow: Flow): readonly PlayedPath[] =>
  [...NAMED_PATHS[flow].values()].flatMap((path) => (awaitsExpiry(flow, path) ? [] : [{ flow, path }]));

/** Once more in each round, since most orders go well. */
const usual = (flow: Flow, name: string): readonly PlayedPath[] => {
  const path = NAMED_PATHS[flow].get(name);
  return path === undefined ? [] : [{ flow, path }];
};

const alternating = (a: readonly PlayedPath[], b: readonly PlayedPath[]): readonly PlayedPath[] =>
  Array.from({ length: Math.max(a.length, b.length) }, (_, i) => [a[i] ?? [], b[i] ?? []].flat()).flat();

const often = (times: number, paths: readonly PlayedPath[]): readonly PlayedPath[] =>
  Array.from({ length: times }, () => paths).flat();

/**
 * The paths that orders of a run take, in turn: each named one, and the happy ones oftener. An order that waits for its
 * expiry is not among them: it would have to be remembered for three hours, and there would be no end to them.
 */
export const PLAYED_PATHS: readonly PlayedPath[] = alternating(
  [
    ...named('onramp'),
    ...often(6, usual('onramp', 'completed')),
    ...often(4, usual('onramp', 'completed-in-progress')),
  ],
  [...named('offramp'), ...often(4, usual('offramp', 'paid')), ...often(3, usual('offramp', 'deemed-paid'))],
);
