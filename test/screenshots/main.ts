/**
 * Makes the pictures of the console in docs/console: a ledger of its own, filled by the sandbox with a seed of its own, looked at with
 * Chromium. Days are those before today, so that only dates differ from run to run.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as t from 'io-ts';
import { apiKeys, keyText } from '../console/console-keys.ts';
import { signedInCookie } from '../console/sign-in.ts';
import { openBrowser, type TestBrowser } from '../support/browser/browser.ts';
import { deliver } from '../support/exchange.ts';
import { ledgerProcesses } from '../support/ledger-process.ts';
import { SECRET } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { closedPictures, pictures, type Picture } from './pictures.ts';

const FOLDER = fileURLToPath(new URL('../../docs/console/', import.meta.url));
/** What somebody who reads the README on a telephone waits for. */
const MOST_BYTES = 200_000;
const PLAYED_WITHIN_MS = 240_000;
const ZONE = 'Asia/Kolkata';

const Placed = t.type({ orderId: t.string });

const folder = temporaryFolder();
const BANK = join(folder.path, 'bank');
const processes = ledgerProcesses(() => ({ SANDBOX_WEBHOOK_SECRET: SECRET }));

/** Plays orders of the last thirty days, most of them delivered well, and answers one whose payout was tried twice. */
const fill = async (url: string): Promise<string> => {
  const runs = [
    ['--seed', '7', '--orders', '260', '--fault', 'shuffle', '--money-fault', 'all', '--bank-dir', BANK],
    ['--seed', '8', '--orders', '40', '--fault', 'other-facts'],
  ];
  const to = ['--target', url, '--at-once', '4', '--tries', '20'];
  for (const run of runs) {
    const sandbox = await processes.sandbox([...run, ...to, '--days', '30'], { BUSINESS_TIME_ZONE: ZONE });
    await until(PLAYED_WITHIN_MS, 'the orders to be played', async () =>
      Promise.resolve(sandbox.out().includes('"msg":"played"') ? true : null),
    );
    sandbox.signal('SIGTERM');
    await sandbox.finished;
  }
  const sandbox = await processes.sandbox(['--seed', '9', ...to], {});
  const body = JSON.stringify({ flow: 'offramp', path: 'retried', fiat: 48_250.75 });
  const headers = { 'Content-Type': 'application/json' };
  const placed = await fetch(new URL('/sandbox/orders', sandbox.url), { method: 'POST', headers, body });
  await deliver(url, '{"eventType":"onramp","orderId":"ord-4711","status":7}');
  return right(Placed.decode(await placed.json())).orderId;
};

const send = async (url: string, path: string, body: string): Promise<void> => {
  const headers = { Authorization: `Bearer ${keyText('full')}` };
  const { status } = await fetch(new URL(path, url), { method: 'POST', headers, body });
  if (status !== 200) throw new Error(`${path}: ${status}`);
};

/** Brings in the files of the banks and of the chains that fit the first run. */
const handOverMoney = async (url: string): Promise<void> => {
  const textOf = (name: string): string => readFileSync(join(BANK, name), 'utf8');
  await send(url, '/v1/statements/profiles/bank', textOf('profile.json'));
  for (const name of readdirSync(BANK).toSorted()) {
    const [, chainId] = /^chain-(\d+)\.csv$/.exec(name) ?? [];
    if (chainId !== undefined) await send(url, `/v1/transfers?chainId=${chainId}`, textOf(name));
    else if (/\.(xml|sta)$/.test(name)) await send(url, `/v1/statements?name=${name}`, textOf(name));
    else if (name.endsWith('.csv')) await send(url, `/v1/statements?name=${name}&profile=bank`, textOf(name));
  }
};

/** The month before that of today. */
const lastMonth = (): string => {
  const today = new Date();
  return new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
};

const take = async (browser: TestBrowser, url: string, cookie: string, picture: Picture): Promise<void> => {
  const { path, theme, width, height, file, media } = picture;
  const visitor = await browser.visitor({ url, cookie, theme, width, height });
  if (media !== undefined) await visitor.page.emulateMedia({ media });
  await visitor.open(path);
  await visitor.page.evaluate('document.fonts.ready.then(() => undefined)');
  const png = await visitor.page.screenshot({ animations: 'disabled', caret: 'hide' });
  visitor.expectPeace();
  await visitor.close();
  writeFileSync(join(FOLDER, file), png);
  const { size } = statSync(join(FOLDER, file));
  if (size > MOST_BYTES) throw new Error(`${file} has ${size} bytes, more than ${MOST_BYTES}`);
  process.stdout.write(`docs/console/${file}  ${Math.ceil(size / 1000)} kB\n`);
};

try {
  const { url } = await processes.serve({
    DATA_DIR: join(folder.path, 'data'),
    WEBHOOK_SECRETS: `provider=${SECRET}`,
    API_KEYS: apiKeys(),
    BUSINESS_TIME_ZONE: ZONE,
  });
  const retried = await fill(url);
  await handOverMoney(url);
  const month = lastMonth();
  const browser = await openBrowser({ fonts: 'with those of this machine' });
  const cookie = await signedInCookie(url, keyText('full'));
  mkdirSync(FOLDER, { recursive: true });
  for (const picture of pictures(retried, month)) await take(browser, url, cookie, picture);
  const despite = ['quarantine', 'clock-anomalies', 'match'];
  await send(url, `/v1/periods/${month}/close`, JSON.stringify({ note: 'Agreed with the bank, ticket 4711', despite }));
  for (const picture of closedPictures(month)) await take(browser, url, cookie, picture);
  await browser.close();
} finally {
  await processes.endAll();
  rmSync(folder.path, { recursive: true, force: true });
}
