import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { chromium, type Browser, type Page } from 'playwright-core';
import { unzipped } from '../../src/proofs/evidence/evidence-zip.ts';
import { alteredEvidence, type Altered } from '../support/altered-evidence.ts';
import { chromiumPlace } from '../support/browser/chromium-place.ts';
import { evidenceScene, type EvidenceScene } from '../support/evidence-scene.ts';
import { readmeCommands } from '../support/readme-commands.ts';
import { runHere } from '../support/run-here.ts';
import { shortened } from '../support/shortened-evidence.ts';

/**
 * What the commands of the explanation do not claim to see: files beside those of the events, and the metadata in
 * evidence.json, cosignatures, and the size of a checkpoint beside its root, which openssl is not asked about. All but entries need the ledger's key.
 */
const BEYOND_OPENSSL = new Set([
  'an entry is added',
  'the cosignature of a witness',
  'an entry outside of the folder',
  'the ledger adds a file',
  'the ledger says more',
  'the ledger exchanges two leaves',
  'the ledger calls an event another type',
  'the ledger received an event earlier',
  'the ledger names another leaf',
  'the ledger claims another tree',
  'the ledger says it in one line',
  'the ledger names two orders',
  'the ledger names its key first',
  'the ledger keeps no data, in words',
  'the ledger signed it yesterday, in words',
  'the ledger numbers its projections in words',
  'the ledger names a witness without a key',
  'the ledger cuts a cosignature',
  'a checkpoint of more events than a number counts',
]);

/** A machine that has a browser, openssl and the program, and no ledger and no network. */
describe('altered evidence', () => {
  let scene: EvidenceScene;
  let browser: Browser;
  let page: Page;
  let altered: readonly Altered[];
  let readme: string;

  before(async () => {
    scene = await evidenceScene();
    altered = alteredEvidence(scene.zip, scene.key, generateKeyPairSync('ed25519').privateKey);
    readme = unzipped(scene.zip)?.get('README.txt')?.toString() ?? '';
    const { executable } = await chromiumPlace();
    browser = await chromium.launch({ executablePath: executable, args: ['--disable-gpu'] });
    const context = await browser.newContext({ offline: true });
    page = await context.newPage();
    const file = join(scene.dataDir, 'verify.html');
    writeFileSync(file, unzipped(scene.zip)?.get('verify.html') ?? '');
    await page.goto(pathToFileURL(file).href);
  }).timeout(60_000);
  after(async () => {
    await browser.close();
    await scene.close();
  });

  const byPage = async (zip: Buffer): Promise<string> => {
    await page.setInputFiles('#zip', []);
    await page.setInputFiles('#zip', { name: 'evidence.zip', mimeType: 'application/zip', buffer: zip });
    const verdict = page.locator('#verdict:text-matches("hold", "i")');
    await verdict.waitFor();
    return verdict.innerText();
  };

  const byProgram = async (zip: Buffer): Promise<number | null> => {
    const file = join(scene.dataDir, 'looked-at.zip');
    writeFileSync(file, zip);
    return (await runHere(['verify-evidence', file], { DATA_DIR: join(scene.dataDir, 'nothing') })).status;
  };

  it('is refused by the page and by the program, however it was altered', async () => {
    expect(altered.length).to.be.greaterThan(40);
    for (const { name, zip } of altered) {
      expect([await byPage(zip), await byProgram(zip)], name).to.deep.equal(['IT DOES NOT HOLD', 1]);
    }
    expect([await byPage(scene.zip), await byProgram(scene.zip)]).to.deep.equal(['It holds', 0]);
  });

  it('is refused by the commands of the explanation, as far as they claim: twenty and more of them', async () => {
    const own = unzipped(scene.zip) ?? new Map<string, Buffer>();
    let refused = 0;
    for (const { name, zip } of altered) {
      const files = unzipped(zip);
      if (files === null || BEYOND_OPENSSL.has(name)) continue;
      // What unpacks to the ledger's own files is for the other two.
      const isSame = files.size === own.size && [...own].every(([at, was]) => files.get(at)?.equals(was) === true);
      if (isSame) continue;
      const { complaints } = await readmeCommands(files, readme);
      expect(complaints, name).to.not.deep.equal([]);
      refused += 1;
    }
    expect(refused).to.be.at.least(20);
    expect((await readmeCommands(own, readme)).complaints).to.deep.equal([]);
  }).timeout(300_000);

  it('that leaves out the newest event holds as of the tree before it, and each of the three says so', async () => {
    const { zip, before } = await shortened(scene);
    expect([await byPage(zip), await byProgram(zip)]).to.deep.equal(['It holds', 0]);
    const found = await page.locator('#findings').innerText();
    expect(found).to.include(`complete as of ${before} events`).and.include('Not checked: That none of the ');
    const said = await runHere(['verify-evidence', join(scene.dataDir, 'looked-at.zip')], {});
    expect(said.out)
      .to.include(`complete as of ${before} events`)
      .and.include('signed by the ledger, not proven: none of the ');
    const files = unzipped(zip) ?? new Map<string, Buffer>();
    const { lines, complaints } = await readmeCommands(files, files.get('README.txt')?.toString() ?? '');
    expect([lines.at(-1)?.endsWith(`as of ${before} leaves`), complaints]).to.deep.equal([true, []]);
  });
});
