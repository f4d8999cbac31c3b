import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const START = fileURLToPath(new URL('../../src/ramp-ledger.mjs', import.meta.url));

/** What a command has loaded in its main thread when it ends, Node's own modules and files; a server is told to end as it listens. */
const loadedBy = async (...args: readonly string[]): Promise<readonly string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'ramp-ledger-'));
  const list = join(folder, 'loaded.json');
  const preload = `import { isMainThread } from 'node:worker_threads';
    import { registerHooks } from 'node:module';
    import { writeFileSync } from 'node:fs';
    const files = [];
    registerHooks({ load: (url, context, next) => (files.push(url), next(url, context)) });
    const keep = () => writeFileSync(${JSON.stringify(list)}, JSON.stringify([...process.moduleLoadList, ...files]));
    if (isMainThread) process.on('exit', keep);`;
  const loader = ['--import', `data:text/javascript,${encodeURIComponent(preload)}`];
  const env = { PATH: process.env['PATH'], PORT: '0', DATA_DIR: join(folder, 'data') };
  const child = spawn(process.execPath, [...loader, START, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  try {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('"listening"')) child.kill('SIGTERM');
    });
    await ended;
    const loaded: unknown = JSON.parse(readFileSync(list, 'utf8'));
    return Array.isArray(loaded) ? loaded.map(String) : [];
  } finally {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
};

describe('what is loaded', () => {
  it("to serve has neither Node's client of the web's interfaces nor commands that were not called", async () => {
    const loaded = await loadedBy('serve');
    expect(loaded.some((module) => module.endsWith('/src/http/http-server.ts'))).to.equal(true);
    expect(
      loaded.filter((module) => /undici\/undici|\/cli\/(?!serve).*-command\.ts|cli-progress/.test(module)),
    ).to.deep.equal([]);
  });

  it('for the help of a command has nothing of any other, and nothing that it will stand on', async () => {
    const loaded = await loadedBy('serve', '--help');
    expect(loaded.some((module) => module.endsWith('/src/cli/serve-command.ts'))).to.equal(true);
    expect(
      loaded.filter((module) => /\/cli\/(?!serve).*-command\.ts|\/src\/(read-models|console|api)\//.test(module)),
    ).to.deep.equal([]);
  });
});
