import { spawnSync } from 'node:child_process';
import { accessSync, constants, readdirSync } from 'node:fs';
import { expect } from 'chai';
import { repositoryFile, repositoryPath } from '../support/repository-file.ts';

describe('the scripts of deploy/', () => {
  const scripts = readdirSync(repositoryPath('deploy')).filter((name) => name.endsWith('.sh'));

  it('are there', () => {
    expect(scripts).to.have.members(['make-certificates.sh', 'make-secrets.sh', 'set-up-store.sh']);
  });

  for (const name of scripts) {
    it(`${name}: can be run, reads without a syntax error, and stops at the first failure`, () => {
      const path = repositoryPath(`deploy/${name}`);
      expect(() => accessSync(path, constants.X_OK)).to.not.throw();
      expect(spawnSync('sh', ['-n', path], { encoding: 'utf8' })).to.include({ status: 0, stderr: '' });
      expect(repositoryFile(`deploy/${name}`)).to.match(/^#!\/bin\/sh\n/);
      expect(repositoryFile(`deploy/${name}`)).to.match(/^set -eu$/m);
    });
  }
});
