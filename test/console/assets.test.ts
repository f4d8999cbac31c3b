import { expect } from 'chai';
import { asset, assetAt } from '../../src/console/assets.ts';

const textAt = (path: string): string => assetAt(path)?.body.toString() ?? '';

describe('assets of the console', () => {
  it('import each other by the paths that they are served at', () => {
    expect(textAt(asset('charts.js')))
      .to.match(/^import \w+ from '/m)
      .and.to.include(`from '${asset('uplot.js')}'`);
    expect(textAt(asset('console.js'))).to.include(`import('${asset('charts.js')}')`);
    expect(textAt(asset('console.js'))).to.include(`from '${asset('live.js')}'`);
    for (const [name, count] of [
      ['charts.js', 1],
      ['console.js', 2],
      ['live.js', 0],
    ] as const) {
      const specifiers = [...textAt(asset(name)).matchAll(/(?:from |import\()'([^']+)'/g)].map(([, found]) => found);
      expect(specifiers).to.have.length(count);
      for (const specifier of specifiers) expect(assetAt(specifier ?? ''), specifier).not.to.equal(null);
    }
  });

  it('are nowhere else', () => {
    const path = asset('console.css');
    expect(assetAt(path)?.type).to.equal('text/css; charset=utf-8');
    expect(assetAt(path.replace(/[0-9a-f]{16}/, '0'.repeat(16)))).to.equal(null);
    expect(assetAt('/console/assets/../console.css')).to.equal(null);
  });
});
