import { registerHooks, type ResolveHookSync } from 'node:module';

const isOwnTypeScript = (specifier: string): boolean => /^\.\.?\/.*\.ts$/.test(specifier);

/**
 * Says where the imports of the modules below a folder lead, as Node would. Of one that names a file of TypeScript it neither
 * looks whether the file is there, which loading it shows, nor for the package.json that says which kind of module it is;
 * where a package is, it asks Node once and not for each module that imports it. Imports of packages themselves are Node's.
 */
export const quickResolution = (root: string): ResolveHookSync => {
  const packages = new Map<string, ReturnType<ResolveHookSync>>();
  const ofPackages = `${root}node_modules/`;
  return (specifier, context, next) => {
    const { parentURL, conditions } = context;
    if (parentURL === undefined || !parentURL.startsWith(root) || parentURL.startsWith(ofPackages)) {
      return next(specifier, context);
    }
    if (isOwnTypeScript(specifier)) {
      return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true };
    }
    // What is required is another module than what is imported.
    if (specifier.startsWith('.') || !conditions.includes('import')) return next(specifier, context);
    const known = packages.get(specifier) ?? { ...next(specifier, context), shortCircuit: true };
    packages.set(specifier, known);
    return known;
  };
};

/**
 * From now on this thread's imports of the program are resolved quickly: Node looks several times on the disk for each of
 * some 5,000, which takes a fifth of the processor time of a start.
 */
export const resolveQuickly = (): void => {
  registerHooks({ resolve: quickResolution(new URL('../../', import.meta.url).href) });
};
