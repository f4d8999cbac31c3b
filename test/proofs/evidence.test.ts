import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { unzipped } from '../../src/proofs/evidence/evidence-zip.ts';
import { parseVerifierLine } from '../../src/proofs/signed-note.ts';
import { verifyEvidence, type EvidenceVerdict } from '../../src/queries/evidence/verify-evidence.ts';
import { alteredEvidence } from '../support/altered-evidence.ts';
import { evidenceScene, type EvidenceScene } from '../support/evidence-scene.ts';
import { SECRET } from '../support/payloads.ts';
import { API_KEY } from '../support/running-ledger.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);

describe('the evidence of an order', () => {
  let scene: EvidenceScene;
  before(async () => {
    scene = await evidenceScene();
  });
  after(() => scene.close());

  const verified = (zip: Buffer, key: string | null = null, secret: string | null = SECRET): EvidenceVerdict =>
    verifyEvidence(zip, {
      secretKey: () => (secret === null ? null : Buffer.from(secret)),
      key: key === null ? null : parseVerifierLine(key),
    });

  const keyLine = async (): Promise<string> => (await (await fetch(`${scene.ledger.url}/v1/log/key`)).text()).trimEnd();

  it('holds, is the same bytes each time, and shows the order as the ledger shows it', async () => {
    const { zip, orderId, ledger } = scene;
    const again = await scene.evidence(orderId);
    expect(Buffer.from(await again.arrayBuffer()).equals(zip)).to.equal(true);
    const { problems, holds, events, checkpoint, completeAt } = verified(zip, await keyLine());
    expect(problems).to.deep.equal([]);
    expect(holds).to.equal(true);
    const fits = { signature: true, digest: true, inclusion: true };
    expect(events.map(({ type: _type, ...event }) => event)).to.deep.equal(
      [0, 1, 2].map((revision) => ({ revision, ...fits })),
    );
    const size = await ledger.eventCount();
    expect([checkpoint?.origin, checkpoint?.size, checkpoint?.signature]).to.deep.equal([
      'log.example/evidence',
      size,
      true,
    ]);
    expect(checkpoint?.witnesses.map(({ name, signature }) => [name, signature])).to.deep.equal([
      ['witness.example/test', true],
    ]);
    expect(completeAt).to.equal(size - 5);
    const order: unknown = JSON.parse(unzipped(zip)?.get('order.json')?.toString() ?? '');
    const shown = await fetch(`${ledger.url}/v1/orders/${encodeURIComponent(orderId)}`, {
      headers: { Authorization: `Bearer ${API_KEY}` },
    });
    expect(order).to.deep.equal(await shown.json());
  });

  it('says which signatures were not computed, and which do not fit', () => {
    expect(verified(scene.zip, null, null).events.map(({ signature }) => signature)).to.deep.equal([null, null, null]);
    expect(verified(scene.zip, null, null).holds).to.equal(true);
    const wrong = verified(scene.zip, null, 'another-secret-of-at-least-24-bytes');
    expect(wrong.events.map(({ signature }) => signature)).to.deep.equal([false, false, false]);
    expect(wrong.holds).to.equal(false);
  });

  it('does not hold for another key than the one that the ledger is known by', async () => {
    const other = (await keyLine()).replace('log.example/evidence', 'log.example/another');
    expect(parseVerifierLine(other)).to.equal(null);
    const forged = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
    const { holds, problems, checkpoint } = verified(scene.zip, forged);
    expect([holds, checkpoint?.signature]).to.deep.equal([false, false]);
    expect(problems.map(({ code }) => code)).to.include('another-key');
  });

  it('does not hold once anything of it was altered', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const altered = alteredEvidence(scene.zip, scene.key, privateKey);
    expect(altered.length).to.be.greaterThan(30);
    for (const { name, zip } of altered) {
      expect(zip.equals(scene.zip), `${name}: is altered`).to.equal(false);
      expect(verified(zip, null, null).holds, name).to.equal(false);
    }
  });

  it('is covered to the last byte', () => {
    const { zip } = scene;
    for (let at = 0; at < zip.length; at += 397) {
      const altered = Buffer.from(zip);
      altered[at] = (altered[at] ?? 0) ^ 0x20;
      expect(verified(altered, null, null).holds, `byte ${at}`).to.equal(false);
    }
  });

  it('can be checked with openssl and a shell, by the commands in its explanation as they stand', async () => {
    const folder = temporaryFolder();
    for (const [name, content] of unzipped(scene.zip) ?? []) {
      mkdirSync(dirname(join(folder.path, name)), { recursive: true });
      writeFileSync(join(folder.path, name), content);
    }
    const commands = readFileSync(join(folder.path, 'README.txt'), 'utf8')
      .split('\n----\n')
      .filter((_, i) => i % 2 === 1)
      .join('\n');
    const shell = async (): Promise<readonly string[]> =>
      (await run('bash', ['-c', `${commands}\ntrue`], { cwd: folder.path })).stdout.trimEnd().split('\n');
    const inLog = [0, 1, 2].map((revision) => `events/${revision} is in the log`);
    const signed = 'Signature Verified Successfully';
    expect(await shell()).to.deep.equal(['the files are those of the list', signed, signed, ...inLog]);
    writeFileSync(join(folder.path, 'events/1/body'), 'another');
    writeFileSync(join(folder.path, 'events/2/leaf.json'), 'another');
    const altered = await shell();
    expect(altered).to.include.members(['events/1: ITS DIGESTS DO NOT FIT', 'events/2 IS NOT IN THE LOG']);
    expect(altered).to.not.include('the files are those of the list');
    folder.remove();
  });

  it('is there for orders that are, and for keys that may know personal data', async () => {
    expect((await scene.evidence('nobody')).status).to.equal(404);
    const reader = await fetch(`${scene.ledger.url}/v1/orders/nobody/evidence`, {
      headers: { Authorization: 'Bearer reader-api-key-of-at-least-24-bytes' },
    });
    expect(reader.status).to.equal(403);
  });
});
