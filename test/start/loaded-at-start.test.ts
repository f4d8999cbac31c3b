import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const START = fileURLToPath(new URL('../../src/ramp-ledger.mjs', import.meta.url));

type Loaded = {
  /** By the main thread: Node's own modules, and files. */
  readonly loaded: readonly string[];
  /** By any thread, and by processes that it starts. */
  readonly anywhere: readonly string[];
  /** Modules of TypeScript that Node itself was asked for, by any thread. */
  readonly askedOfNode: readonly string[];
};

/** What a command has loaded when it ends; a server is told to end as it listens. */
const loadedBy = async (...args: readonly string[]): Promise<Loaded> => {
  const folder = mkdtempSync(join(tmpdir(), 'ramp-ledger-'));
  const list = join(folder, 'loaded.json');
  const asked = join(folder, 'asked');
  const anywhere = join(folder, 'anywhere');
  mkdirSync(join(folder, 'data'), { mode: 0o700 });
  for (const file of [asked, anywhere]) writeFileSync(file, '');
  const preload = `import { isMainThread } from 'node:worker_threads';
    import { registerHooks } from 'node:module';
    import { appendFileSync, writeFileSync } from 'node:fs';
    const files = [];
    registerHooks({
      load: (url, context, next) => {
        files.push(url);
        appendFileSync(${JSON.stringify(anywhere)}, url + '\\n');
        return next(url, context);
      },
      resolve: (specifier, context, next) => {
        if (specifier.endsWith('.ts')) appendFileSync(${JSON.stringify(asked)}, specifier + '\\n');
        return next(specifier, context);
      },
    });
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
    return {
      loaded: Array.isArray(loaded) ? loaded.map(String) : [],
      anywhere: readFileSync(anywhere, 'utf8').split('\n'),
      askedOfNode: readFileSync(asked, 'utf8').split('\n'),
    };
  } finally {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
};

describe('what is loaded', () => {
  it("to serve has neither Node's client of the web's interfaces nor commands that were not called", async () => {
    const { loaded, askedOfNode } = await loadedBy('serve');
    expect(loaded.some((module) => module.endsWith('/src/http/http-server.ts'))).to.equal(true);
    expect(
      loaded.filter((module) => /undici\/undici|\/cli\/(?!serve).*-command\.ts|cli-progress/.test(module)),
    ).to.deep.equal([]);
    // Of read models the receiving thread knows which file serves, whose it is, and whether it wants for room; what reads and writes
    // them is other threads'.
    expect(
      loaded.filter((module) =>
        /\/src\/read-models\/sqlite\/(?!generations\.ts|ledger-names\.ts|no-room\.ts)/.test(module),
      ),
    ).to.deep.equal([]);
    // Where its own modules are it knows by itself: Node would look for each of thousands of imports on the disk.
    expect(askedOfNode.filter((specifier) => !/^file:|\/quick-resolution\.ts$/.test(specifier))).to.deep.equal(['']);
  });

  it('for the help of a command has nothing of any other, and nothing that it will stand on', async () => {
    const { loaded } = await loadedBy('serve', '--help');
    expect(loaded.some((module) => module.endsWith('/src/cli/serve-command.ts'))).to.equal(true);
    expect(
      loaded.filter((module) => /\/cli\/(?!serve).*-command\.ts|\/src\/(read-models|console|api)\//.test(module)),
    ).to.deep.equal([]);
  });

  it('to look at an embedded ledger without a provider has no client of EventStoreDB, and nothing that fetches tokens', async () => {
    const { loaded, anywhere } = await loadedBy('doctor');
    expect(loaded.some((module) => module.endsWith('/src/composition/doctor/diagnose.ts'))).to.equal(true);
    expect(
      loaded.filter((module) =>
        /node_modules\/(@eventstore|@grpc)\/|\/tokens\/(token-service|key-set)\.ts$/.test(module),
      ),
    ).to.deep.equal([]);
    // The process that looks at files asks read models nothing but how far they are.
    expect(anywhere.some((module) => module.endsWith('/src/composition/doctor/look-at-files.ts'))).to.equal(true);
    expect(anywhere.filter((module) => /\/src\/read-models\/sqlite\/(queries|orders\/)/.test(module))).to.deep.equal(
      [],
    );
  });

  it('to list orders has nothing that verifies, builds, signs or decides', async () => {
    const { loaded } = await loadedBy('orders');
    expect(loaded.some((module) => module.endsWith('/src/composition/commands/open-ledger.ts'))).to.equal(true);
    expect(
      loaded.filter((module) =>
        /\/(verify|rebuild)\/|\/commands\/(verify-|sign-)|\/release-quarantined\.ts|\/opened-/.test(module),
      ),
    ).to.deep.equal([]);
  });
});
