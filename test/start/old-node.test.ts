import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const START = fileURLToPath(new URL('../../src/ramp-ledger.mjs', import.meta.url));

/** The start as a Node of another version sees it: what it says of itself is changed before anything is loaded. */
const startOn = (
  version: string,
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } => {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  return spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, START, '--help'],
    {
      encoding: 'utf8',
    },
  );
};

describe('the start', () => {
  for (const version of ['9.11.2', '12.22.12', '20.20.2', '23.11.1']) {
    it(`on Node ${version} says in one line what to do, and ends with 2`, () => {
      const { status, stdout, stderr } = startOn(version);
      expect(status).to.equal(2);
      expect(stdout).to.equal('');
      expect(stderr).to.match(
        new RegExp(`^ramp-ledger needs Node 24 or later, and this is Node ${version}: run \`npm ci\`.*\n$`),
      );
    });
  }

  for (const version of ['24.0.0', '26.10.0', '100.0.0']) {
    it(`on Node ${version} goes on`, () => {
      const { status, stdout, stderr } = startOn(version);
      expect(stderr).to.equal('');
      expect(stdout).to.contain('serve');
      expect(status).to.equal(0);
    });
  }
});
