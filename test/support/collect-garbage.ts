import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Has the garbage collector look through everything at once, which it does by itself when it likes. */
export const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('the garbage collector is out of reach');
  collect();
};
