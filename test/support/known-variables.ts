import { randomBytes } from 'node:crypto';
import { loadConfig } from '../../src/config/index.ts';

/** Every variable that the configuration reads, noted while it does. */
export const knownVariables = (): readonly string[] => {
  const asked = new Set<string>();
  const noting = (values: Readonly<Record<string, string>>) =>
    new Proxy(values, {
      get: (target, name) => {
        if (typeof name === 'string') asked.add(name);
        return typeof name === 'string' ? target[name] : undefined;
      },
    });
  // Nothing is written.
  loadConfig(noting({}), { generate: false, randomBytes });
  return [...asked];
};
