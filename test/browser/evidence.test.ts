import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { chromium, type Browser, type Page } from 'playwright-core';
import { unzipped } from '../../src/proofs/evidence/evidence-zip.ts';
import { alteredEvidence } from '../support/altered-evidence.ts';
import { chromiumPlace } from '../support/browser/chromium-place.ts';
import { evidenceScene, type EvidenceScene } from '../support/evidence-scene.ts';
import { SECRET } from '../support/payloads.ts';
import { API_KEY } from '../support/running-ledger.ts';

describe('the page in the evidence of an order', () => {
  let scene: EvidenceScene;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  before(async () => {
    scene = await evidenceScene();
    const { executable } = await chromiumPlace();
    browser = await chromium.launch({ executablePath: executable, args: ['--disable-gpu'] });
    const file = join(scene.dataDir, 'verify.html');
    writeFileSync(file, unzipped(scene.zip)?.get('verify.html') ?? '');
    page = await browser.newPage();
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith('file:')) complaints.push(`asked for ${request.url()}`);
    });
    await page.goto(pathToFileURL(file).href);
  }).timeout(60_000);
  after(async () => {
    await browser.close();
    await scene.close();
  });

  /** What the page says of a ZIP. */
  const saidOf = async (zip: Buffer): Promise<{ readonly verdict: string; readonly findings: string }> => {
    await page.setInputFiles('#zip', []);
    await page.setInputFiles('#zip', { name: 'evidence.zip', mimeType: 'application/zip', buffer: zip });
    const verdict = page.locator('#verdict:text-matches("hold", "i")');
    await verdict.waitFor();
    return { verdict: await verdict.innerText(), findings: await page.locator('#findings').innerText() };
  };

  it('checks all of it without a network, and says what it shows', async () => {
    const { verdict, findings } = await saidOf(scene.zip);
    expect(verdict).to.equal('It holds');
    for (const said of [
      'No byte of the ZIP was changed',
      'Event 0, OnRampFiatPending',
      'Event 2, OnRampCompleted',
      'The history is complete as of',
      'Not checked: That none of the 5 events of the log from there to the checkpoint is of this order',
      "Not checked: The provider's signatures",
      'Not checked: Whose key it is',
    ]) {
      expect(findings).to.include(said);
    }
    // What steers, and JSON leaves as it is, is shown by its code.
    const shown = JSON.stringify(scene.orderId).replaceAll('\u009b', '\\u009b').replaceAll('\u202e', '\\u202e');
    expect(await page.locator('#order').innerText()).to.include(`"orderId": ${shown}`);
    expect(complaints).to.deep.equal([]);
  });

  it('takes the key of the ledger and the secret of the provider', async () => {
    const key = (await (await fetch(`${scene.ledger.url}/v1/log/key`)).text()).trimEnd();
    await page.locator('summary').click();
    for (const [line, secret, expected] of [
      [key, SECRET, 'It holds'],
      [key, `other=${SECRET}x,primary=${SECRET}`, 'It holds'],
      [key, `other=${SECRET}`, 'It holds'],
      [key, `${SECRET}x`, 'IT DOES NOT HOLD'],
      [key.replace('log.', 'log2.'), SECRET, 'IT DOES NOT HOLD'],
      ['', '', 'It holds'],
    ] as const) {
      await page.locator('#key').fill(line);
      await page.locator('#secret').fill(secret);
      const { verdict, findings } = await saidOf(scene.zip);
      expect(verdict, findings).to.equal(expected);
      const isKnown = (secret !== '' && !secret.startsWith('other=')) || secret.includes('primary=');
      expect(findings.includes('signature fits its body')).to.equal(isKnown && expected === 'It holds');
      expect(findings.includes("Not checked: Event 0: the provider's signature, by the secret primary")).to.equal(
        secret === `other=${SECRET}`,
      );
    }
  });

  it('says no to whatever was altered', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const altered = alteredEvidence(scene.zip, scene.key, privateKey);
    expect(altered.length).to.be.greaterThan(20);
    for (const { name, zip } of altered) {
      const { verdict } = await saidOf(zip);
      expect(verdict, name).to.equal('IT DOES NOT HOLD');
    }
    expect((await saidOf(scene.zip)).verdict).to.equal('It holds');
    expect(complaints).to.deep.equal([]);
  });

  it('comes from a console that shows its checkpoint, who has cosigned it, and that the log contains it', async () => {
    const { url } = scene.ledger;
    const console = await browser.newPage();
    await console.goto(`${url}/console/health`);
    await console.locator('input[name="key"]').fill(API_KEY);
    await console.getByRole('button', { name: 'Sign in' }).click();
    const health = await console.locator('main').innerText();
    const count = await scene.ledger.eventCount();
    expect(health).to.include(`The newest one is of ${count} events`);
    expect(health).to.include(`witness.example/test has cosigned ${count} events`);
    await console.goto(`${url}/console/health/checkpoint`);
    const note = unzipped(scene.zip)?.get('checkpoint.txt')?.toString() ?? '';
    for (const [pasted, said] of [
      [note, 'The log still contains all of it'],
      [note.replace(/\n\d+\n/, '\n3\n'), 'key has not signed it'],
    ] as const) {
      await console.locator('textarea[name="checkpoint"]').fill(pasted);
      await console.getByRole('button', { name: 'Check it' }).click();
      await console.getByRole('status').filter({ hasText: said }).waitFor();
    }
    await console.goto(`${url}/console/orders/${encodeURIComponent(scene.orderId)}`);
    const downloading = console.waitForEvent('download');
    await console.getByRole('link', { name: 'Evidence' }).click();
    const downloaded = await (await downloading).path();
    expect(readFileSync(downloaded).equals(scene.zip)).to.equal(true);
    await console.close();
  });
});
