import { expect } from 'chai';
import * as t from 'io-ts';
import { repositoryFile } from '../support/repository-file.ts';
import { right } from '../support/right.ts';

const Manifest = t.type({ dependencies: t.record(t.string, t.string), allowScripts: t.record(t.string, t.boolean) });

const Locked = t.type({
  packages: t.record(
    t.string,
    t.partial({ version: t.string, license: t.string, dev: t.boolean, link: t.boolean, hasInstallScript: t.boolean }),
  ),
});

const read = (path: string): unknown => JSON.parse(repositoryFile(path));

/** The name of a package by its folder, `node_modules/a/node_modules/@b/c`. */
const nameOf = (folder: string): string => folder.split('node_modules/').at(-1) ?? '';

describe('SECURITY.md, What it is built from', () => {
  const section = repositoryFile('SECURITY.md').split('## What it is built from')[1] ?? '';
  const listed = section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| |\|$/g, '').trim()));
  const { dependencies, allowScripts } = right(Manifest.decode(read('package.json')));
  const { packages } = right(Locked.decode(read('package-lock.json')));
  // A link is what its folder is, which is listed too.
  const inProduction = Object.entries(packages).filter(
    ([folder, { dev, link }]) => folder !== '' && dev !== true && link !== true,
  );

  it('names every package that runs in production, with its version and licence', () => {
    const expected = Object.keys(dependencies).map((name) => {
      const { version = '', license = '' } = packages[`node_modules/${name}`] ?? {};
      return `${name} ${version} ${license}`;
    });
    const found = listed.map(([name = '', version, , licence]) => `${name.replaceAll('`', '')} ${version} ${licence}`);
    expect(found).to.have.members(expected);
  });

  it('says of each when it was released, what is known against it and what it may touch', () => {
    for (const [name, , released = '', , advisories = '', touches = ''] of listed) {
      expect(released, name).to.match(/^[A-Z][a-z]{2} 20\d\d$/);
      expect([advisories, touches], name).to.not.include('');
    }
  });

  it('names every package that these bring', () => {
    const prose = section.split('\n').find((line) => line.startsWith('`')) ?? '';
    const named = [...prose.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    const brought = new Set(inProduction.map(([folder]) => nameOf(folder)));
    for (const name of Object.keys(dependencies)) brought.delete(name);
    expect(named).to.have.members([...brought].filter((name) => !name.startsWith('@types/')));
  });

  it('lets no package run a script at the installation but the one that brings Node', () => {
    const scripted = inProduction.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    for (const [folder] of scripted) expect(allowScripts, folder).to.have.property(nameOf(folder));
    expect(Object.keys(allowScripts).filter((name) => allowScripts[name] === true)).to.deep.equal(['node']);
  });
});

describe('the versions of Node', () => {
  it('that the README names are those of package.json', () => {
    const { engines } = right(t.type({ engines: t.type({ node: t.string }) }).decode(read('package.json')));
    const [oldest = '', ...later] = [...engines.node.matchAll(/\d+(?:\.\d+)?/g)].map(([version]) => version);
    expect(repositoryFile('README.md')).to.include(`Node ${[oldest, ...later].join(', ')} or later`);
  });
});
