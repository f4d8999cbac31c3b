import { existsSync } from 'node:fs';
import { expect } from 'chai';
import * as t from 'io-ts';
import { right } from '../support/right.ts';
import { dockerfile, dockerfileEnvironment, instructions } from './dockerfile.ts';
import { knownVariables } from '../support/known-variables.ts';
import { repositoryFile, repositoryPath } from '../support/repository-file.ts';

const Lock = t.type({ packages: t.record(t.string, t.partial({ version: t.string })) });

/** What each COPY takes from the folder of the build. */
const copied = instructions('COPY')
  .filter((line) => !line.startsWith('--from='))
  .flatMap((line) => line.split(/\s+/).slice(0, -1));

/** Paths that the engine is given: `!path` lines behind `*`. */
const sent = repositoryFile('.dockerignore')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1));

describe('Dockerfile', () => {
  it('runs the Node that npm brings to a checkout, pinned', () => {
    const { packages } = right(Lock.decode(JSON.parse(repositoryFile('package-lock.json'))));
    const { version } = packages['node_modules/node'] ?? {};
    const images = instructions('FROM').map((line) => line.split(' ')[0]);
    expect(new Set(images)).to.deep.equal(new Set([`node:${version}-trixie-slim`]));
  });

  it('gives up root before the ledger runs', () => {
    const names = dockerfile().map(({ name }) => name);
    expect(instructions('USER')).to.deep.equal(['node']);
    expect(names.lastIndexOf('USER')).to.be.greaterThan(names.lastIndexOf('RUN'));
    expect(names.indexOf('ENTRYPOINT')).to.be.greaterThan(names.lastIndexOf('USER'));
    expect(instructions('RUN').at(-1)).to.equal('install -d -o node -g node -m 0700 /data');
  });

  it('has a health check, an entry point and a command whose files are in it', () => {
    const started = [...instructions('HEALTHCHECK'), ...instructions('ENTRYPOINT')];
    expect(started).to.have.length(2);
    for (const line of started) {
      const [, file = ''] = /"node", "([^"]+)"/.exec(line) ?? [];
      expect(existsSync(repositoryPath(file)), file).to.equal(true);
      expect(
        copied.some((path) => file === path || file.startsWith(`${path}/`)),
        file,
      ).to.equal(true);
    }
    expect(instructions('CMD')).to.deep.equal(['["serve"]']);
  });

  it('copies only what exists, and what the engine is given', () => {
    expect(copied).to.not.deep.equal([]);
    for (const path of copied) {
      expect(existsSync(repositoryPath(path)), path).to.equal(true);
      expect(sent, path).to.include(path);
    }
  });

  it('sets variables that the configuration knows, and listens where it says', () => {
    const environment = dockerfileEnvironment();
    expect(knownVariables()).to.include.members(Object.keys(environment));
    expect(instructions('EXPOSE')).to.deep.equal([environment['PORT']]);
    expect(instructions('VOLUME')).to.deep.equal([environment['DATA_DIR']]);
  });

  it('installs what the lock file says, without development packages and without running their scripts', () => {
    const [install = ''] = instructions('RUN');
    expect(install).to.match(/^npm ci --omit=dev --ignore-scripts\b/);
  });

  it('keeps secrets, data, history and everything else from the engine', () => {
    const lines = repositoryFile('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines[0]).to.equal('*');
    expect(lines.slice(1).every((line) => line.startsWith('!'))).to.equal(true);
    expect(new Set(sent)).to.deep.equal(new Set(copied));
    for (const kept of ['.git', '.env', 'secrets', 'data', 'demo-data', 'node_modules', 'test', 'docs']) {
      expect(
        sent.some((path) => path === kept || path.startsWith(`${kept}/`)),
        kept,
      ).to.equal(false);
    }
  });
});
