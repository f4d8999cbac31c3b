import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { promisify } from 'node:util';
import { expect } from 'chai';
import * as t from 'io-ts';
import { isConsistent, isIncluded } from '../../src/proofs/check-proof.ts';
import { parseCheckpoint } from '../../src/proofs/checkpoint.ts';
import { leafHash } from '../../src/proofs/merkle-tree.ts';
import { checkNote, parseNote, parseVerifierLine } from '../../src/proofs/signed-note.ts';
import { bodyOf, newOrderId, onRamp, signatureOf } from '../support/payloads.ts';
import { repositoryPath } from '../support/repository-file.ts';
import { right } from '../support/right.ts';
import { API_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);

/** Some hundreds: two tiles of leaves, and the beginning of a third. */
const EVENTS = 530;
const SIZES = 140;

const Made = t.type({
  key: t.string,
  note: t.string,
  index: t.number,
  leaf: t.string,
  inclusion: t.array(t.string),
  olderRoot: t.string,
  consistency: t.array(t.string),
});

/** Go's implementation, of the Debian packages golang-go and golang-golang-x-mod-dev. */
describe('the log, against the implementation of Go', () => {
  const cache = temporaryFolder();
  after(() => cache.remove());

  const go = async (...args: readonly string[]): Promise<string> => {
    const env = {
      ...process.env,
      GO111MODULE: 'off',
      GOPATH: '/usr/share/gocode',
      GOCACHE: cache.path,
      CGO_ENABLED: '0',
    };
    const { stdout } = await run('go', ['run', repositoryPath('test/long/sumdb/main.go'), ...args], {
      env,
      maxBuffer: 64 * 1_024 * 1_024,
    });
    return stdout;
  };

  it('is mirrored by its tiles, and its notes and proofs hold', async () => {
    const signingKey = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });
    const ledger: RunningLedger = await startLedger({
      env: { LEDGER_ORIGIN: 'log.example/go', LEDGER_SIGNING_KEY: signingKey },
    });
    const deliver = async (): Promise<void> => {
      const body = bodyOf(onRamp({ orderId: newOrderId() }));
      const answer = await fetch(`${ledger.url}/v1/webhooks`, {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/json', 'X-Service-Signature': signatureOf(body) },
      });
      expect(answer.status).to.equal(200);
    };
    for (let done = 0; done < EVENTS; done += 10) await Promise.all(Array.from({ length: 10 }, deliver));
    try {
      expect(await go('check', ledger.url, API_KEY)).to.match(/^\d+ leaves\n$/);
    } finally {
      await ledger.close();
    }
  });

  it('verifies the notes and proofs that Go makes', async () => {
    const lines = (await go('make', String(SIZES))).trimEnd().split('\n');
    expect(lines.length).to.be.greaterThan(SIZES);
    const hashesOf = (texts: readonly string[]): readonly Buffer[] => texts.map((text) => Buffer.from(text, 'base64'));
    for (const line of lines) {
      const made = right(Made.decode(JSON.parse(line)));
      const verifier = parseVerifierLine(made.key) ?? expect.fail('no key');
      const note = parseNote(made.note) ?? expect.fail('no note');
      const tree = parseCheckpoint(right(checkNote(note, verifier))) ?? expect.fail('no checkpoint');
      const leaf = leafHash(Buffer.from(made.leaf));
      const [inclusion, consistency] = [hashesOf(made.inclusion), hashesOf(made.consistency)];
      const older = { size: made.index + 1, root: Buffer.from(made.olderRoot, 'base64') };
      expect(isIncluded(leaf, made.index, tree, inclusion), line).to.equal(true);
      expect(isConsistent(older, tree, consistency), line).to.equal(true);
      expect(isIncluded(leaf, made.index + 1, tree, inclusion), line).to.equal(false);
    }
  });
});
