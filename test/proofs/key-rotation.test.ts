import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { configErrorLine, loadConfig } from '../../src/config/index.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { parseCheckpoint, signedCheckpoint } from '../../src/proofs/checkpoint.ts';
import { noProofLog } from '../../src/proofs/no-proof-log.ts';
import { checkNote, noteVerifier, parseNote, verifierLine } from '../../src/proofs/signed-note.ts';
import { containsCheckpoint } from '../../src/queries/proofs/contains-checkpoint.ts';
import { verifyEvidence } from '../../src/queries/evidence/verify-evidence.ts';
import { bodyOf, newOrderId, onRamp, signatureOf } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { runHere } from '../support/run-here.ts';
import { API_KEY, startLedger } from '../support/running-ledger.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWitness } from '../support/test-witness.ts';
import { until } from '../support/until.ts';

const ORIGIN = 'log.example/rotated';

const newKey = () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const verifier = noteVerifier(ORIGIN, privateKey);
  return {
    key: privateKey,
    pem: privateKey.export({ format: 'pem', type: 'pkcs8' }),
    verifier,
    line: verifierLine(verifier),
    holds: (note: string): boolean => E.isRight(checkNote(parseNote(note) ?? expect.fail('no note'), verifier)),
  };
};

const EXPORTED = { format: 'pem', type: 'pkcs8' } as const;

describe('a ledger that signs with another key', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  it('is followed by witnesses, auditors and evidence, the former key signing beside it for a while', async () => {
    const [former, now, witness] = [newKey(), newKey(), await startWitness()];
    witness.know(former.line);
    const orderId = newOrderId();
    const env = (keys: Readonly<Record<string, string>>) => ({
      DATA_DIR: folder.path,
      LEDGER_ORIGIN: ORIGIN,
      LEDGER_WITNESSES: witness.setting,
      ...keys,
    });

    /** Serves with some keys while one delivery comes, until a checkpoint of it is there. */
    const served = async (keys: Readonly<Record<string, string>>, status: string) => {
      const ledger = await startLedger({ env: env(keys) });
      const get = (path: string): Promise<Response> =>
        fetch(`${ledger.url}${path}`, { headers: { Authorization: `Bearer ${API_KEY}` } });
      const body = bodyOf(onRamp({ orderId, status }));
      await fetch(`${ledger.url}/v1/webhooks`, {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/json', 'X-Service-Signature': signatureOf(body) },
      });
      const size = await ledger.eventCount();
      const note = await until(20_000, 'a checkpoint that a witness has cosigned', async () => {
        const text = await (await get('/v1/log/checkpoint')).text();
        return text.startsWith(`${ORIGIN}\n${size}\n`) && text.includes(`— ${witness.name} `) ? text : null;
      });
      const key = (await (await get('/v1/log/key')).text()).trimEnd();
      const evidence = Buffer.from(await (await get(`/v1/orders/${orderId}/evidence`)).arrayBuffer());
      await ledger.close();
      return { note, key, evidence };
    };

    const first = await served({ LEDGER_SIGNING_KEY: former.pem }, 'fiatPending');
    expect([first.key, former.holds(first.note)]).to.deep.equal([former.line, true]);

    const both = await served({ LEDGER_SIGNING_KEY: now.pem, LEDGER_RETIRED_SIGNING_KEY: former.pem }, 'orderReceived');
    expect([both.key, former.holds(both.note), now.holds(both.note)]).to.deep.equal([now.line, true, true]);
    expect(both.note).to.include(`— ${witness.name} `);
    const verdict = verifyEvidence(both.evidence, { secretKey: () => null, key: now.verifier });
    expect([verdict.problems, verdict.checkpoint?.witnesses.map(({ name }) => name)]).to.deep.equal([
      [],
      [witness.name],
    ]);
    const doctor = await runHere(
      ['doctor'],
      env({ LEDGER_SIGNING_KEY: now.pem, LEDGER_RETIRED_SIGNING_KEY: former.pem }),
    );
    expect(doctor.out.replaceAll(/\s+/g, ' ')).to.include('the retired key signs too: take it out');

    witness.know(now.line);
    const alone = await served({ LEDGER_SIGNING_KEY: now.pem }, 'completed');
    expect([former.holds(alone.note), now.holds(alone.note)]).to.deep.equal([false, true]);
    // Whoever kept a checkpoint of any of the keys can hold the log to it.
    for (const { note } of [first, both, alone]) {
      const kept = join(folder.path, 'kept.txt');
      writeFileSync(kept, note);
      const { status, out } = await runHere(['verify', '--checkpoint', kept], env({ LEDGER_SIGNING_KEY: now.pem }));
      expect(status, out).to.equal(0);
    }
    await witness.close();
  });

  it('shows in the console that the log contains what a former key has signed', async () => {
    const [former, now, foreign] = [newKey(), newKey(), newKey()];
    const text = `${ORIGIN}\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n`;
    const { root } = parseCheckpoint(text) ?? expect.fail('no checkpoint');
    const signed = ({ key }: ReturnType<typeof newKey>): string =>
      signedCheckpoint({ origin: ORIGIN, signingKey: key, retiredKey: null }, 0, root);
    const proofs = {
      ...noProofLog,
      verifierLines: () => [now.line, former.line],
      formerLogs: () => [{ from: 'log.example/ended', to: ORIGIN, at: instantOf(0), size: 3, note: 'the disk failed' }],
      newest: () => TE.right({ note: signed(now), size: 0, position: null, signedAt: instantOf(0) }),
      rootOf: () => TE.right(root),
    };
    for (const [key, tag] of [
      [now, 'Contained'],
      [former, 'Contained'],
      [foreign, 'NotOfThisLog'],
    ] as const) {
      expect(right(await containsCheckpoint({ proofs }, signed(key))())._tag).to.equal(tag);
    }
    const ended = signedCheckpoint({ origin: 'log.example/ended', signingKey: now.key, retiredKey: null }, 0, root);
    const found = right(await containsCheckpoint({ proofs }, ended)());
    expect(found._tag === 'NotOfThisLog' && found.detail).to.match(
      /until 1970-01-01.*: the disk failed\. Now this log is/,
    );
  });

  it('makes a key anew where the generated one was put aside, and refuses the same key twice', () => {
    const dataDir = join(folder.path, 'generated');
    const load = (env: Readonly<Record<string, string>> = {}) =>
      loadConfig({ DATA_DIR: dataDir, HOST: '127.0.0.1', ...env }, { generate: true, randomBytes });
    const before = right(load()).config.logIdentity;
    renameSync(join(dataDir, 'signing-key'), join(dataDir, 'retired-signing-key'));
    const after = right(load()).config.logIdentity;
    expect(after?.origin).to.equal(before?.origin);
    expect(after?.retiredKey?.export(EXPORTED)).to.equal(before?.signingKey.export(EXPORTED));
    expect(after?.signingKey.export(EXPORTED)).to.not.equal(before?.signingKey.export(EXPORTED));
    expect(existsSync(join(dataDir, 'signing-key'))).to.equal(true);
    const pem = readFileSync(join(dataDir, 'signing-key'), 'utf8');
    const twice = load({ LEDGER_RETIRED_SIGNING_KEY: pem });
    expect(E.isLeft(twice) && configErrorLine(twice.left)).to.match(
      /^LEDGER_RETIRED_SIGNING_KEY.*it is the key that signs now/,
    );
    const wrong = load({ LEDGER_RETIRED_SIGNING_KEY: 'no key' });
    expect(E.isLeft(wrong) && configErrorLine(wrong.left)).to.match(/^LEDGER_RETIRED_SIGNING_KEY.*no Ed25519 key/);
  });
});
