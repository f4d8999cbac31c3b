import type { ResolveHookContext } from 'node:module';
import { expect } from 'chai';
import { quickResolution } from '../../src/loading/quick-resolution.ts';

const ROOT = 'file:///app/';

/** The resolution of a program, and what it has asked Node for. */
const resolution = () => {
  const asked: string[] = [];
  const resolve = quickResolution(ROOT);
  const from = (parent: string, specifier: string, kind = 'import') => {
    const context: ResolveHookContext = {
      parentURL: new URL(parent, ROOT).href,
      conditions: ['node', kind],
      importAttributes: {},
    };
    return resolve(specifier, context, () => {
      asked.push(`${kind} ${specifier}`);
      return { url: `node:said-${asked.length}` };
    });
  };
  return { asked, from };
};

/** What loading a module beside this one fails with. */
const failureOf = async (specifier: string): Promise<string> => {
  try {
    await import(specifier);
    return 'none';
  } catch (error) {
    return String(error);
  }
};

describe('the quick resolution of imports', () => {
  it('finds TypeScript of the program without asking Node', () => {
    const { asked, from } = resolution();
    const found = [from('src/a/b.ts', './c.ts'), from('src/a/b.ts', '../../projections/d.ts')];
    expect(found.map(({ url }) => url)).to.deep.equal([`${ROOT}src/a/c.ts`, `${ROOT}projections/d.ts`]);
    expect(found.map(({ format }) => format)).to.deep.equal(['module-typescript', 'module-typescript']);
    expect(asked).to.deep.equal([]);
  });

  it('asks Node once where a package is, and again where another is required than imported', () => {
    const { asked, from } = resolution();
    expect(from('src/a/b.ts', 'koa').url).to.equal('node:said-1');
    expect(from('src/c.ts', 'koa').url).to.equal('node:said-1');
    expect(from('src/c.ts', 'koa', 'require').url).to.equal('node:said-2');
    expect(from('src/c.ts', 'koa-body').url).to.equal('node:said-3');
    expect(asked).to.deep.equal(['import koa', 'require koa', 'import koa-body']);
  });

  it('leaves to Node whatever else is imported, and what packages and others import', () => {
    const { asked, from } = resolution();
    from('src/a/b.ts', './c.mjs');
    from('src/a/b.ts', '../../package.json');
    from('src/a/b.ts', './c.ts?again');
    from('node_modules/koa/koa.js', './index.ts');
    from('node_modules/koa/koa.js', 'debug');
    from('node_modules/other/other.js', 'debug');
    from('../elsewhere/b.ts', './c.ts');
    expect(asked).to.have.length(7);
  });

  it('of a module that is not there, loading it says which', async () => {
    expect(await failureOf('./is-not-there.ts')).to.include('/test/loading/is-not-there.ts');
  });
});
