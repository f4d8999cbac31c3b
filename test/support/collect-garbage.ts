import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Has the garbage collector look through everything at once, which it does by itself when it likes. */
export const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
};
