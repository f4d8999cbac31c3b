import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { unzipped } from '../../src/proofs/evidence/evidence-zip.ts';
import { parseVerifierLine } from '../../src/proofs/signed-note.ts';
import { verifyEvidence, type EvidenceVerdict } from '../../src/queries/evidence/verify-evidence.ts';
import { alteredEvidence } from '../support/altered-evidence.ts';
import { evidenceScene, type EvidenceScene } from '../support/evidence-scene.ts';
import { SECRET } from '../support/payloads.ts';
import { readmeCommands } from '../support/readme-commands.ts';
import { API_KEY } from '../support/running-ledger.ts';
import { shortened } from '../support/shortened-evidence.ts';

/** The leaves in a bundle of entries, each behind its length. */
const leavesIn = (bundle: Buffer): readonly string[] => {
  const leaves: string[] = [];
  for (let at = 0; at < bundle.length; at += 2 + bundle.readUInt16BE(at)) {
    leaves.push(bundle.subarray(at + 2, at + 2 + bundle.readUInt16BE(at)).toString());
  }
  return leaves;
};

const STEERING = /[\p{Cc}\u202a-\u202e]/u;

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
    const files = unzipped(scene.zip) ?? new Map<string, Buffer>();
    const { lines, complaints } = await readmeCommands(files, files.get('README.txt')?.toString() ?? '');
    const { completeAt } = verified(scene.zip);
    const signed = 'Signature Verified Successfully';
    expect(lines.join('')).to.not.match(STEERING);
    expect(lines.at(-1)).to.match(
      new RegExp(`^"order-ord .*": revisions 0 to 2 are its history as of ${completeAt} leaves$`),
    );
    expect(lines.slice(0, -1)).to.deep.equal([
      'ledger-key.pem is the key of the line in ledger-key.txt',
      'the files are those of the list',
      signed,
      signed,
      ...[0, 1, 2].map((revision) => `events/${revision} is in the log`),
      signed,
    ]);
    expect(complaints).to.deep.equal([]);
    const more = new Map([...files, ['order-2.json', Buffer.from('{}')], ['more/x', Buffer.from('')]]);
    const beside = await readmeCommands(more, files.get('README.txt')?.toString() ?? '');
    expect(beside.lines.filter((line) => !lines.includes(line))).to.deep.equal([
      'no part of the evidence: more/x',
      'no part of the evidence: order-2.json',
    ]);
  });

  it('shows what steers in the id of its order by its codes, where people read it', () => {
    const readme = unzipped(scene.zip)?.get('README.txt')?.toString() ?? '';
    expect(scene.orderId).to.match(STEERING);
    expect(readme.replaceAll('\n', '')).to.not.match(STEERING);
    expect(readme).to.include(String.raw`\u009b\u202e\u001b`);
  });

  for (const named of [
    "somebody's own key behind the line of the ledger's",
    'the ledger drops the last event',
    'a body, and the list',
    'events are added, and no list',
  ]) {
    it(`says no by those commands too: ${named}`, async () => {
      const { privateKey } = generateKeyPairSync('ed25519');
      const altered = alteredEvidence(scene.zip, scene.key, privateKey).find(({ name }) => name === named);
      const readme = unzipped(scene.zip)?.get('README.txt')?.toString() ?? '';
      const files = unzipped(altered?.zip ?? expect.fail('no such alteration')) ?? expect.fail('no ZIP');
      expect((await readmeCommands(files, readme)).complaints).to.not.deep.equal([]);
    });
  }

  it('holds without its newest event only as of the tree before it, says so, and is convicted by the log itself', async () => {
    const { zip, before } = await shortened(scene);
    const { holds, completeAt, checkpoint, order } = verified(zip, await keyLine());
    // The order of other projections is not computed, and that is no yes.
    expect([holds, completeAt, order, verified(scene.zip).order]).to.deep.equal([true, before, null, true]);
    expect(checkpoint?.size).to.equal(await scene.ledger.eventCount());
    const files = unzipped(zip) ?? new Map<string, Buffer>();
    const readme = files.get('README.txt')?.toString() ?? '';
    expect(readme)
      .to.include(`That is its word, and no proof`)
      .and.include(`one behind leaf ${before - 1} that names`);
    const { lines, complaints } = await readmeCommands(files, readme);
    expect([lines.at(-1)?.endsWith(`as of ${before} leaves`), complaints]).to.deep.equal([true, []]);
    const bundle = await fetch(`${scene.ledger.url}/v1/log/tile/entries/000.p/${checkpoint?.size}`, {
      headers: { Authorization: `Bearer ${API_KEY}` },
    });
    const leaves = leavesIn(Buffer.from(await bundle.arrayBuffer()));
    const later = leaves.slice(before).filter((leaf) => leaf.includes(JSON.stringify(`order-${scene.orderId}`)));
    expect(later.length).to.equal(1);
  });

  it('is there for orders that are, and for keys that may know personal data', async () => {
    expect((await scene.evidence('nobody')).status).to.equal(404);
    const reader = await fetch(`${scene.ledger.url}/v1/orders/nobody/evidence`, {
      headers: { Authorization: 'Bearer reader-api-key-of-at-least-24-bytes' },
    });
    expect(reader.status).to.equal(403);
  });
});
