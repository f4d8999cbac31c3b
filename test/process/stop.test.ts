import { expect } from 'chai';
import { exchange } from '../support/exchange.ts';
import { within } from '../support/within.ts';
import { expectOrderlyEnd, processFixture } from './process-fixture.ts';
import { toldToStop } from './told-to-stop.ts';

const ENDS_WITHIN_MS = 10_000;

/** Sends a process signals when it begins to load the program. */
const signalledAtOnce = (...signals: readonly NodeJS.Signals[]): Readonly<Record<string, string>> => {
  const program = `import { registerHooks } from 'node:module';
registerHooks({
  load: (url, context, next) => {
    if (url.endsWith('/src/main.ts')) for (const signal of ${JSON.stringify(signals)}) process.kill(process.pid, signal);
    return next(url, context);
  },
});`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` };
};

describe('a ledger that is told to stop', () => {
  toldToStop(['SIGINT', 'SIGINT']);

  const ledger = processFixture();

  it('ends with status 0 when it is still being loaded', async () => {
    for (const signals of [['SIGTERM'], ['SIGHUP', 'SIGTERM']] as const) {
      const env = ledger.env({ HOST: '127.0.0.1', PORT: '0', ...signalledAtOnce(...signals) });
      const { finished } = ledger.begin(['serve'], env);
      expectOrderlyEnd(await within(ENDS_WITHIN_MS, finished, 'the end'), ledger.inFolder('data'));
    }
  });

  it('serves on at SIGUSR1, and opens no debugger to whoever is on the machine', async () => {
    const serving = await ledger.serve(ledger.env({ HOST: '127.0.0.1', PORT: '0' }));
    serving.signal('SIGUSR1');
    for (let asked = 0; asked < 20; asked += 1) {
      expect((await exchange(serving.url, { path: '/livez' })).status).to.equal(200);
    }
    serving.signal('SIGTERM');
    const ended = await within(ENDS_WITHIN_MS, serving.finished, 'the end');
    expectOrderlyEnd(ended, ledger.inFolder('data'));
    expect(ended.err).not.to.include('Debugger');
  });

  for (const script of ['start', 'demo'] as const) {
    it(`ends with npm run ${script}, where npm alone is told`, async () => {
      const npm = await ledger.script(script, ledger.env({ HOST: '127.0.0.1', PORT: '0' }));
      npm.signal('SIGTERM');
      // It is finished when nothing that npm started has its output any more.
      const { status, signal } = await within(ENDS_WITHIN_MS, npm.finished, 'the end');
      expect([status, signal]).to.deep.equal([0, null]);
    });
  }
});
