import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect } from 'chai';
import packageJson from '../../package.json' with { type: 'json' };
import { repositoryPath } from '../support/repository-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The oldest Node of those that README.md names. */
const OLDEST = /\d+\.\d+/.exec(packageJson.engines.node)?.[0] ?? '';
/** A setting of whoever runs the tests that their npm does not know is no matter of this repository. */
const OF_THE_USER = /^npm warn Unknown (?:user|global|env) config /;

const OF_A_RUN = /^npm_(?:package|lifecycle|config_(?:.*prefix|user_agent|globalconfig|cache_)|node)/;

/** The npm that runs these tests, on a Node that may be another. */
const npm = (node: string, folder: string, ...args: readonly string[]): string => {
  const cli = process.env['npm_execpath'] ?? expect.fail('run it by npm: npm run test:long');
  const path = [dirname(node), process.env['PATH']].join(delimiter);
  // What the npm that runs these tests says of itself and of this package is another's matter.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_A_RUN.test(name)));
  const { status, stdout, stderr } = spawnSync(node, [cli, ...args], {
    cwd: folder,
    env: { ...env, PATH: path },
    encoding: 'utf8',
  });
  expect(status, stderr).to.equal(0);
  return stdout + stderr;
};

describe('npm ci', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  it('warns of nothing on the oldest Node that the README names, and brings the Node that the ledger runs on', () => {
    const [other, clean] = [join(folder.path, 'other'), join(folder.path, 'clean')];
    for (const path of [other, clean]) mkdirSync(path);
    for (const name of ['package.json', 'package-lock.json']) copyFileSync(repositoryPath(name), join(clean, name));
    const name = `node-${platform()}-${arch()}`;
    npm(process.execPath, other, 'install', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@~${OLDEST}.0`);
    const node = join(other, 'node_modules', name, 'bin', 'node');
    expect(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout).to.match(new RegExp(`^v${OLDEST}\\.`));

    const said = npm(node, clean, 'ci', '--prefer-offline');
    expect(said.split('\n').filter((line) => /warn/i.test(line) && !OF_THE_USER.test(line))).to.deep.equal([]);
    const brought = spawnSync(join(clean, 'node_modules', '.bin', 'node'), ['--version'], { encoding: 'utf8' });
    expect(brought.stdout).to.equal(`${process.version}\n`);
  }).timeout(300_000);
});
