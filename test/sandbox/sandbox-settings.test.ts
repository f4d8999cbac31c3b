import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { SandboxOptions } from '../../src/cli/sandbox-options.ts';
import { sandboxSettings, type SandboxSettings } from '../../src/composition/sandbox/sandbox-settings.ts';
import type { Environment } from '../../src/config/environment.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const read = (options: SandboxOptions, env: Environment = {}) => sandboxSettings(options, env, () => 'new seed');

const settings = (options: SandboxOptions, env: Environment = {}): SandboxSettings => right(read(options, env));

const SECRET_ENV = { SANDBOX_WEBHOOK_SECRET: 'a-secret-of-the-sandbox' };

describe("the sandbox's settings", () => {
  const folder = temporaryFolder();
  after(folder.remove);

  it('are usable without any', () => {
    expect(settings({})).to.deep.equal({
      host: '127.0.0.1',
      port: 8090,
      callback: null,
      seed: 'new seed',
      faults: new Set(),
      moneyFaults: new Set(),
      timeZone: 'UTC',
      bankDir: null,
      mostTries: null,
      ordersAtOnce: 64,
      startAtMs: null,
      run: null,
    });
  });

  it('come from options and the environment', () => {
    const all = settings(
      {
        target: 'https://ledger.example.com',
        orders: '300',
        rate: '0.5',
        days: '30',
        seed: '7',
        fault: ['shuffle', 'delay', 'shuffle'],
        tries: '5',
        atOnce: '1',
        startAt: '2026-01-31T12:00:00Z',
      },
      { HOST: '0.0.0.0', PORT: '0', ...SECRET_ENV },
    );
    expect(all.callback?.target.href).to.equal('https://ledger.example.com/v1/webhooks');
    expect(all.callback?.secret.toString()).to.equal(SECRET_ENV.SANDBOX_WEBHOOK_SECRET);
    const faults = new Set(['shuffle', 'delay']);
    expect(all).to.deep.include({ host: '0.0.0.0', port: 0, seed: '7', faults, mostTries: 5, ordersAtOnce: 1 });
    expect(all.startAtMs).to.equal(Date.UTC(2026, 0, 31, 12));
    expect(all.run).to.deep.equal({ orders: 300, rate: 0.5, withinMs: 30 * 86_400_000, faults });
    expect(settings({ port: '9000' }, { PORT: '9001' }).port).to.equal(9_000);
    expect(settings({ rate: '10' }).run).to.deep.include({ orders: null, rate: 10, withinMs: 0 });
    expect(settings({ target: 'http://127.0.0.1:1/any?x=y' }, SECRET_ENV).callback?.target.href).to.equal(
      'http://127.0.0.1:1/any?x=y',
    );
  });

  it('take the secret from a file, without the newline at its end, before the environment', () => {
    const file = join(folder.path, 'secret');
    writeFileSync(file, 'from-the-file\n');
    const { callback } = settings({ target: 'http://127.0.0.1:1', secretFile: file }, SECRET_ENV);
    expect(callback?.secret.toString()).to.equal('from-the-file');
  });

  it('that are wrong are named in one line, with what would be right', () => {
    const wrong: readonly (readonly [SandboxOptions, Environment, RegExp])[] = [
      [{ port: '65536' }, {}, /^--port: "65536" .*from 0 to 65535$/],
      [{ port: '1.5' }, {}, /^--port: /],
      [{}, { PORT: 'x' }, /^PORT: /],
      [{}, { HOST: '' }, /^HOST: /],
      [{ target: 'ledger' }, SECRET_ENV, /^--target: "ledger" is no address; give one as http:/],
      [{ target: 'ftp://ledger' }, SECRET_ENV, /^--target: /],
      [{ target: 'http://127.0.0.1' }, {}, /^--target: .*--secret-file FILE, or SANDBOX_WEBHOOK_SECRET$/],
      [{ secretFile: join(folder.path, 'none') }, {}, /^--secret-file: the file is not there/],
      [{ secretFile: folder.path }, {}, /^--secret-file: the file is no regular file/],
      [{}, { SANDBOX_WEBHOOK_SECRET: '' }, /^SANDBOX_WEBHOOK_SECRET: it is empty/],
      [{ orders: '-1' }, {}, /^--orders: "-1" .*whole number from 0/],
      [{ rate: '0' }, {}, /^--rate: "0" .*from 0.001 to 100000$/],
      [{ rate: '1e3' }, {}, /^--rate: /],
      [{ days: 'many' }, {}, /^--days: /],
      [{ tries: '0' }, {}, /^--tries: .*from 1 to/],
      [{ atOnce: '2000' }, {}, /^--at-once: .*to 1024$/],
      [{ startAt: 'now' }, {}, /^--start-at: "now" is no moment; give one as 2026-/],
      [{ fault: ['shuffle', 'dupes'] }, {}, /^--fault: "dupes" is no fault; expected duplicates, /],
    ];
    for (const [options, env, line] of wrong) {
      const failed = read(options, env);
      if (E.isRight(failed)) return expect.fail(JSON.stringify(options));
      expect(failed.left.status).to.equal(2);
      expect(failed.left.line).to.match(line).and.not.include('\n').and.not.include(SECRET_ENV.SANDBOX_WEBHOOK_SECRET);
    }
    return undefined;
  });
});
