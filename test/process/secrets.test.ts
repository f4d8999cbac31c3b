import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import * as t from 'io-ts';
import { accepted } from '../support/answers.ts';
import { deliver, type Answer } from '../support/exchange.ts';
import type { LedgerProcess } from '../support/ledger-process.ts';
import { bodyOf, onRamp, signatureOf } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { until } from '../support/until.ts';
import { ask, expectOneLine, processFixture } from './process-fixture.ts';

const FIRST = 'first-webhook-secret-of-24-bytes';
const SECOND = 'second-webhook-secret-of-24-bytes';
/** Files are looked at twice a second; the rest is for a busy machine. */
const SOON_MS = 5_000;

describe('the secrets of a ledger', () => {
  const ledger = processFixture();

  const deliveredWith = (url: string, secret: string): Promise<Answer> => {
    const body = bodyOf(onRamp());
    return deliver(url, body, { signature: signatureOf(body, secret) });
  };

  const accepts = (url: string, secret: string): Promise<true> =>
    until(SOON_MS, 'the new secret to be accepted', async () =>
      (await deliveredWith(url, secret)).status === 200 ? true : null,
    );

  /** The environment of a ledger whose secrets stand in a file. */
  const withFile = (file: string): Readonly<Record<string, string>> => {
    const { WEBHOOK_SECRETS: _inline, ...rest } = ledger.env({ WEBHOOK_SECRETS_FILE: file });
    return rest;
  };

  const expectRotated = async ({ url, out, err }: LedgerProcess): Promise<void> => {
    await accepts(url, SECOND);
    expect((await deliveredWith(url, FIRST)).status).to.equal(401);
    expect(out() + err())
      .to.not.include(FIRST)
      .and.to.not.include(SECOND);
  };

  it('are said to have another value under a name that is known, whose events that would call forged', async () => {
    const file = ledger.inFolder('secrets');
    writeFileSync(file, `one=${FIRST}\n`);
    const serving = await ledger.serve(withFile(file));
    writeFileSync(`${file}.new`, `one=${FIRST},two=${SECOND}\n`);
    renameSync(`${file}.new`, file);
    await accepts(serving.url, SECOND);
    const words = 'another value than before';
    expect(serving.out()).to.not.include(words);
    writeFileSync(`${file}.new`, `one=${SECOND}\n`);
    renameSync(`${file}.new`, file);
    await until(SOON_MS, 'it to be said', () => Promise.resolve(serving.out().includes(words) ? true : null));
    expect(serving.out()).to.match(new RegExp(`"secretId":"one".*${words}.*called forged`));
  });

  it('are said by a start, and by doctor, to have another value than the newest event of their name was signed with', async () => {
    const envOf = (secrets: string) => ledger.env({ WEBHOOK_SECRETS: secrets });
    const first = await ledger.serveHere(envOf(`one=${FIRST},two=${SECOND}`));
    for (const secret of [FIRST, SECOND]) expect((await deliveredWith(first.url, secret)).status).to.equal(200);
    await first.stop();
    const doctor = async (secrets: string): Promise<string> =>
      (await ledger.command(['doctor', '--json'], envOf(secrets))).out;
    const words = 'one has another value than before';
    expect(await doctor(`one=${FIRST},two=${SECOND}`)).to.not.include(words);
    const exchanged = `one=${SECOND}x,two=${SECOND}`;
    expect(await doctor(exchanged))
      .to.include(words)
      .and.to.include('give the former value its name one back')
      .and.to.not.include('two has another value');
    const serving = await ledger.serve(envOf(exchanged));
    const said = 'another value than the newest event of its name was signed with';
    await until(SOON_MS, 'it to be said', () => Promise.resolve(serving.out().includes(said) ? true : null));
    const line = serving
      .out()
      .split('\n')
      .find((text) => text.includes(said));
    expect(line)
      .to.include('"level":50')
      .and.to.include('"secretId":"one"')
      .and.to.include('give the former value its name one back');
    expect(serving.out()).to.not.include('"secretId":"two"');
    // The start is not refused: what comes is taken.
    expect((await deliveredWith(serving.url, `${SECOND}x`)).status).to.equal(200);
    serving.signal('SIGTERM');
    expect(await serving.finished).to.include({ status: 0, err: '' });
  });

  it('are taken from a file that was renamed over the old one, without a restart', async () => {
    const file = ledger.inFolder('secrets');
    writeFileSync(file, `one=${FIRST}\n`);
    const serving = await ledger.serve(withFile(file));
    expect((await deliveredWith(serving.url, FIRST)).status).to.equal(200);
    expect((await deliveredWith(serving.url, SECOND)).status).to.equal(401);
    const repeated = bodyOf(onRamp());
    const repeat = (secret: string) => deliver(serving.url, repeated, { signature: signatureOf(repeated, secret) });
    for (const outcome of ['recorded', 'duplicate']) expect(accepted(await repeat(FIRST))).to.include({ outcome });
    writeFileSync(`${file}.new`, `two=${SECOND}\n`);
    renameSync(`${file}.new`, file);
    await expectRotated(serving);
    // What is remembered of a delivery proves no repeat of it.
    expect((await repeat(FIRST)).status).to.equal(401);
    expect(accepted(await repeat(SECOND))).to.include({ outcome: 'duplicate' });
  });

  it('are taken from a file that is reached by another link, as mounted secrets are swapped', async () => {
    for (const [name, content] of [
      ['v1', `one=${FIRST}`],
      ['v2', `two=${SECOND}`],
    ] as const) {
      mkdirSync(ledger.inFolder(name));
      writeFileSync(ledger.inFolder(name, 'secrets'), content);
    }
    symlinkSync('v1', ledger.inFolder('current'));
    const serving = await ledger.serve(withFile(ledger.inFolder('current', 'secrets')));
    expect((await deliveredWith(serving.url, FIRST)).status).to.equal(200);
    symlinkSync('v2', ledger.inFolder('next'));
    renameSync(ledger.inFolder('next'), ledger.inFolder('current'));
    await expectRotated(serving);
  });

  it('are not accepted any more where the new content is wrong or gone, and that is logged; SIGHUP ends nothing', async () => {
    const file = ledger.inFolder('secrets');
    writeFileSync(file, `one=${FIRST}`);
    const serving = await ledger.serve(withFile(file));
    // That nothing could be accepted is said too, at the probe.
    const complaints = (): readonly string[] =>
      serving
        .out()
        .split('\n')
        .filter((line) => line.includes('"level":50') && line.includes('a secret or key can not be read'));
    const complained = async (change: () => void): Promise<void> => {
      const before = complaints().length;
      change();
      serving.signal('SIGHUP');
      await until(SOON_MS, 'an error in the log', () => Promise.resolve(complaints().length > before ? true : null));
      expect((await deliveredWith(serving.url, FIRST)).status).to.equal(401);
      expect(complaints().at(-1)).to.include('WEBHOOK_SECRETS_FILE');
      // Nothing could be accepted, and a load balancer that knows lets it come another way, or again.
      const readiness = await ask(serving.url, '/readyz', '');
      expect(readiness.status).to.equal(503);
    };
    await complained(() => writeFileSync(file, 'two=too-short-a-secret'));
    await complained(() => rmSync(file));
    expect((await ask(serving.url, '/livez', '')).status).to.equal(200);
    expect(serving.out()).to.not.include('too-short-a-secret');
    writeFileSync(file, `two=${SECOND}`);
    serving.signal('SIGHUP');
    await expectRotated(serving);
    expect((await ask(serving.url, '/readyz', '')).status).to.equal(200);
    serving.signal('SIGTERM');
    expect((await serving.finished).status).to.equal(0);
  });

  it('are generated once where none are configured, for their owner only, and never printed', async () => {
    const env = { DATA_DIR: ledger.inFolder('data') };
    const names = ['webhook-secret', 'api-key'] as const;
    const valueOf = (name: (typeof names)[number]): string => {
      const file = ledger.inFolder('data', name);
      expect(statSync(file).mode & 0o777, name).to.equal(0o600);
      const content = readFileSync(file, 'utf8');
      expect(content).to.match(/^[\w-]{32,}\n$/);
      return content.trimEnd();
    };
    const works = async (url: string): Promise<void> => {
      expect((await deliveredWith(url, valueOf('webhook-secret'))).status).to.equal(200);
      expect((await ask(url, '/v1/orders/none', valueOf('api-key'))).status).to.equal(404);
      expect((await ask(url, '/v1/orders/none', valueOf('webhook-secret'))).status).to.equal(401);
    };
    const first = await ledger.serve(env);
    await works(first.url);
    const values = names.map(valueOf);
    first.signal('SIGTERM');
    const ended = await first.finished;
    for (const name of names) expect(ended.out).to.include(ledger.inFolder('data', name));
    const second = await ledger.serve(env);
    await works(second.url);
    expect(names.map(valueOf)).to.deep.equal(values);
    const verified = await ledger.command(['verify', '--json'], env);
    expect(
      right(t.type({ unknownSecrets: t.literal(0), events: t.literal(2) }).decode(JSON.parse(verified.out))),
    ).to.be.an('object');
    const written = [ended.out, ended.err, second.out(), second.err(), verified.out, verified.err].join('');
    for (const value of values) expect(written).to.not.include(value);
  });

  it('are not made anew where the generated one is gone that events were signed with, until somebody chose another', async () => {
    const env = { DATA_DIR: ledger.inFolder('data') };
    const file = ledger.inFolder('data', 'webhook-secret');
    const first = await ledger.serveHere(env);
    const lost = readFileSync(file, 'utf8').trimEnd();
    await first.stop();
    // Nothing is signed with it yet: another one does no harm.
    rmSync(file);
    const second = await ledger.serveHere(env);
    const value = readFileSync(file, 'utf8').trimEnd();
    expect(value).to.not.equal(lost);
    expect((await deliveredWith(second.url, value)).status).to.equal(200);
    await second.stop();
    renameSync(file, `${file}.away`);
    const refused = await ledger.run(['serve'], env);
    expectOneLine(
      refused,
      2,
      /^ramp-ledger: WEBHOOK_SECRETS: .*webhook-secret is gone .*; put webhook-secret back .* generated=…/,
    );
    const deliveries = ledger.inFolder('deliveries');
    writeFileSync(deliveries, '{}\n');
    expectOneLine(
      await ledger.command(['import', deliveries], env),
      2,
      /^ramp-ledger: WEBHOOK_SECRETS: .*webhook-secret is gone/,
    );
    expect(existsSync(file)).to.equal(false);
    const verified = async (over: Readonly<Record<string, string>>): Promise<unknown> =>
      JSON.parse((await ledger.command(['verify', '--json'], { ...env, ...over })).out);
    // Each of the cures that the line gives.
    const chosen = await ledger.serveHere({ ...env, WEBHOOK_SECRETS: `second=${SECOND}` });
    expect((await deliveredWith(chosen.url, SECOND)).status).to.equal(200);
    await chosen.stop();
    expect(await verified({ WEBHOOK_SECRETS: `second=${SECOND}` })).to.deep.include({
      failures: [],
      unknownSecrets: 1,
    });
    expect(await verified({ WEBHOOK_SECRETS: `second=${SECOND},generated=${value}` })).to.deep.include({
      events: 2,
      failures: [],
      unknownSecrets: 0,
    });
    renameSync(`${file}.away`, file);
    const again = await ledger.serveHere(env);
    expect((await deliveredWith(again.url, value)).status).to.equal(200);
  });
});
