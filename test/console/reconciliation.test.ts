import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { writeXlsx } from 'hucre/xlsx';
import { expectAccessible, expectRoomToPress } from '../support/browser/axe.ts';
import { openBrowser, type TestBrowser, type Visitor } from '../support/browser/browser.ts';
import { expectAllInSight, expectNoSidewaysScroll } from '../support/browser/layout.ts';
import { exchange } from '../support/exchange.ts';
import { offRamp } from '../support/payloads.ts';
import { keyText, type KeyName } from './console-keys.ts';
import { consoleScene, type ConsoleScene } from './console-scene.ts';
import { handIn, readAs } from './hand-in.ts';
import { hiddenField, sendForm, signedInCookie } from './sign-in.ts';

const PAGE = '/console/reconciliation';
const DAY = '2026-03-10';

/** A character that turns what follows around, and one that rings a bell. */
const HOSTILE = 'PAID \u202egnp.exe\u0007 <img src=x onerror=alert(1)>';

const CSV = [
  'Acme Bank',
  'Date;Narration;Ref;Paid out;Paid in',
  `10/03/2026;OK;UTR000000001;100,00;`,
  `10/03/2026;${HOSTILE};UTR000000002;99,50;`,
  `10/03/2026;NOBODY KNOWS;UTR999999999;7,00;`,
  '',
].join('\r\n');

const workbook = (): Promise<Uint8Array> => {
  const rows = [
    ['Date', 'Account', 'Narration', 'Reference', 'Currency', 'Withdrawal', 'Deposit'],
    [new Date(`${DAY}T00:00:00Z`), 'ACC-9', 'OFFRAMP PAYOUT', 'XLSX-1', 'EUR', 1_234.5, null],
    [new Date(`${DAY}T00:00:00Z`), 'ACC-9', 'COLLECTION', 'XLSX-2', 'EUR', null, 99.9],
  ];
  return writeXlsx({ sheets: [{ name: 'S', rows }] });
};

/** Its lines come to 10 less than its closing balance says. */
const WRONG_BALANCE = [
  ':20:X',
  ':25:ACC-2',
  ':28C:1/1',
  ':60F:C260310INR100,00',
  ':61:2603100310D50,00NTRFNONREF//UTR000000003',
  ':86:PAYOUT',
  ':62F:C260310INR40,00',
  '-',
  '',
].join('\r\n');

const paid = (n: number) =>
  offRamp({
    orderId: `recon-${n}`,
    status: 'PayoutSuccess',
    utr: `UTR00000000${n}`,
    fiat: 100,
    currency: 'INR',
    created_at: `${DAY}T08:00:00Z`,
    updated_at: `${DAY}T09:00:00Z`,
  });

describe('the match, worked off at the console', () => {
  let scene: ConsoleScene;
  let browser: TestBrowser;
  let visitor: Visitor;
  let plain: Visitor;
  let narrow: Visitor;
  before(async () => {
    [scene, browser] = await Promise.all([consoleScene(), openBrowser()]);
    await scene.deliver([1, 2, 3].map((n) => [paid(n)]));
    const cookie = await scene.cookie('full');
    visitor = await browser.visitor({ url: scene.url, cookie });
    plain = await browser.visitor({ url: scene.url, cookie, scripts: false });
    narrow = await browser.visitor({ url: scene.url, cookie, width: 390, theme: 'dark' });
  });
  afterEach(() => {
    visitor.expectPeace();
    plain.expectPeace();
    narrow.expectPeace();
  });
  after(async () => {
    await browser.close();
    await scene.close();
  });

  const mainText = ({ page }: Visitor): Promise<string> => page.locator('main').innerText();

  const hand = async ({ page }: Visitor, name: string, content: string | Uint8Array): Promise<void> => {
    const buffer = Buffer.from(content);
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer });
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.waitForURL(/\/import\/[0-9a-f]{64}/);
  };

  const statements = async (): Promise<string> => (await scene.api('/v1/statements')).text;

  it('says of a file that would be refused which line and field it is, before anything is imported', async () => {
    await plain.open(PAGE);
    await hand(plain, 'wrong.sta', WRONG_BALANCE);
    expect(await mainText(plain)).to.match(/refused whole, because of line 7, field :62F:/);
    expect(await plain.page.getByRole('button', { name: /^Import/ }).count()).to.equal(0);
    await narrow.open(new URL(plain.page.url()).pathname);
    await expectAccessible(narrow.page);
    await expectNoSidewaysScroll(narrow.page);
    expect(await statements()).to.not.include('wrong.sta');
  });

  it('previews a dropped CSV by what its columns look like, has them changed, and imports what was seen', async () => {
    await visitor.open(PAGE);
    await visitor.page.evaluate(`
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([${JSON.stringify(CSV)}], 'acme 2026-03.csv'));
      document.dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
    `);
    await visitor.page.waitForURL(/\/import\/[0-9a-f]{64}/);
    const guessed = await mainText(visitor);
    expect(guessed, 'a table without a currency').to.match(/refused whole.*currency/s);
    expect(await visitor.page.getByLabel('Read Narration as').inputValue()).to.equal('text');
    expect(await visitor.page.getByLabel('Lines before the header').inputValue()).to.equal('1');
    await visitor.page.getByLabel(/^Currency/).fill('INR');
    await visitor.page.getByLabel(/^Account/).fill('ACC-1');
    await visitor.page.getByRole('button', { name: 'Read it like this' }).click();
    await visitor.page.waitForURL(/\/reading$/);
    const read = await mainText(visitor);
    expect(read)
      .to.match(/3\s+lines,\s+3\s+of them new/)
      .and.to.include('UTR000000002')
      .and.to.include('99.50 INR');
    expect(read, 'what steers is shown by its code').to.include(String.raw`\u{202e}gnp.exe\u{7} <img src=x`);
    await expectAccessible(visitor.page);
    expect(await statements()).to.not.include('acme');
    expect(await visitor.page.getByLabel('Keep these columns as the profile').inputValue()).to.equal('acme');
    await visitor.page.getByRole('button', { name: 'Import 3 lines' }).click();
    await visitor.page.waitForURL(/imported=/);
    expect(await mainText(visitor)).to.match(/acme 2026-03\.csv is imported: 3 lines, 3 of them new/);
    expect(await statements())
      .to.include('"profile":"acme"')
      .and.to.include('"account":"ACC-1"');
  });

  it('previews a workbook by what its columns look like, in a narrow window too, and imports nothing yet', async () => {
    await narrow.open(PAGE);
    await hand(narrow, 'month.xlsx', await workbook());
    const read = (await mainText(narrow)).replaceAll(/\s+/g, ' ');
    expect(read)
      .to.include('Read as XLSX. Nothing is imported yet. 2 lines, 2 of them new')
      .and.to.match(/ACC-9 EUR 2026-03-10 2026-03-10 /)
      .and.to.match(/out 1 ?234\.50 EUR XLSX-1 OFFRAMP PAYOUT .*in 99\.90 EUR XLSX-2 COLLECTION/);
    await expectAccessible(narrow.page);
    await expectNoSidewaysScroll(narrow.page);
    expect(await statements()).to.not.include('month.xlsx');
  });

  it('shows what is open by currency and age, and the sides of an item with what differs marked', async () => {
    await visitor.open(PAGE);
    expect(await visitor.page.locator('table.open tbody').innerText()).to.match(/^INR\s+3\s+207/);
    const item = visitor.page.locator('.entries > li', { hasText: 'recon-2' });
    const marked = await item.locator('tr.differs mark').allInnerTexts();
    expect(marked).to.deep.equal(['100.00 INR', '99.50 INR out']);
    expect(await item.innerText()).to.include(String.raw`\u{202e}gnp.exe`);
    await expectAccessible(visitor.page);
    await narrow.open(PAGE);
    await expectAccessible(narrow.page);
    await expectNoSidewaysScroll(narrow.page);
  });

  it('says which accounts have come in, up to which day and by which files, and is filtered by one that is chosen', async () => {
    await visitor.open(PAGE);
    await visitor.page.getByText('Bank files: which accounts').click();
    const tables = await visitor.page.locator('details table.of-file').allInnerTexts();
    expect(tables[0]).to.match(/ACC-1\s+INR\s+2026-03-10\s+not said\s+1/);
    expect(tables[1]).to.match(/^acme 2026-03\.csv\s.*\scsv\s+ACC-1\s+3\s+3/m);
    expect(await visitor.page.locator('select[name=account]').locator('option').allInnerTexts()).to.deep.equal([
      'Any',
      'ACC-1',
    ]);
    await visitor.page.locator('select[name=account]').selectOption('ACC-1');
    await visitor.page.getByRole('button', { name: 'Show' }).click();
    await visitor.page.waitForURL(`**${PAGE}/search`);
    expect(await visitor.page.locator('.entries > li').count(), 'recon-2, and the line that nobody knows').to.equal(2);
  });

  it('is said on the page of an order, to whom may see the match, with the way to its sides', async () => {
    await visitor.open('/console/orders/recon-2');
    const section = visitor.page.locator('section', { hasText: 'At the bank and on chain' });
    expect((await section.innerText()).replaceAll(/\s+/g, ' ')).to.match(
      /Does not agree by its UTR Side by side Less was moved amount-under order 100\.00 INR, bank 99\.50 INR Bank line of 2026-03-10 99\.50 INR paid out account ACC-1 UTR000000002/,
    );
    await section.getByRole('link', { name: 'Side by side' }).click();
    await visitor.page.waitForURL(/orderId=recon-2/);
    expect(await visitor.page.locator('.entries > li').count()).to.equal(1);
    const others = await scene.ask('/console/orders/recon-2', 'orders');
    expect([others.status, others.text.includes('At the bank')]).to.deep.equal([200, false]);
  });

  it('has all its figures in sight in a narrow window, and so have overview, reports and months', async () => {
    const paths = [
      PAGE,
      '/',
      '/console/reports/offramp?range=all&groupBy=day,token',
      '/console/periods',
      '/console/health',
    ];
    for (const path of paths) {
      await narrow.open(path);
      await expectAllInSight(narrow.page);
      await expectAccessible(narrow.page);
    }
  });

  it('is a file of what it shows, one click away', async () => {
    const rowsOf = async (query: string): Promise<readonly string[]> => {
      await visitor.open(`${PAGE}?${query}`);
      const [file] = await Promise.all([
        visitor.page.waitForEvent('download'),
        visitor.page.getByRole('link', { name: 'CSV', exact: true }).click(),
      ]);
      return readFileSync(await file.path(), 'utf8')
        .trimEnd()
        .split('\r\n')
        .slice(1);
    };
    for (const query of ['', 'age=30%2B', 'state=matched', 'orderId=recon-3', 'break=amount-under']) {
      const rows = await rowsOf(query);
      const items = await visitor.page.locator('.entries > li').all();
      const shown = await Promise.all(items.map((item) => item.getAttribute('id')));
      expect(
        rows.map((row) => `item-${row.split('"')[1] ?? ''}`),
        query,
      ).to.deep.equal(shown);
    }
  });

  it('is no wider than the paper, and all of an item is on it', async () => {
    await visitor.open(PAGE);
    await visitor.page.emulateMedia({ media: 'print' });
    await visitor.page.setViewportSize({ width: 700, height: 900 });
    await expectNoSidewaysScroll(visitor.page);
    await visitor.page.emulateMedia({ media: 'screen' });
    await visitor.page.setViewportSize({ width: 1_280, height: 900 });
  });

  it('is filtered by state, age, what differs and a text', async () => {
    const shown = async (query: string): Promise<number> => {
      await plain.open(`${PAGE}?${query}`);
      return plain.page.locator('.entries > li').count();
    };
    expect(await shown('state=unmatched-line')).to.equal(1);
    expect(await shown('break=amount-under')).to.equal(1);
    expect(await shown('age=30%2B&currency=inr')).to.equal(3);
    expect(await shown('age=0-1')).to.equal(0);
    expect(await shown('orderId=recon-3')).to.equal(1);
    const found = async (text: string): Promise<number> => {
      await plain.open(PAGE);
      await plain.page.locator('.filters input[name=text]').fill(text);
      await plain.page.getByRole('button', { name: 'Show' }).click();
      await plain.page.waitForURL(`**${PAGE}/search`);
      return plain.page.locator('.entries > li').count();
    };
    expect(await found('UTR000000001'), 'a utr of a matched order').to.equal(1);
    expect(await found('recon-3')).to.equal(1);
    expect(await found('UTR999999999'), 'a reference that only a line has').to.equal(1);
    expect(await found('utr999999999'), 'in another letter case').to.equal(0);
    expect(await found('nothing of that name')).to.equal(0);
  });

  it('is worked off with the keys alone: note, explain, take back, and on to the next', async () => {
    const { page } = visitor;
    await visitor.open(PAGE);
    const idOf = async (n: number): Promise<string> =>
      (await page.locator('.entries > li').nth(n).getAttribute('id')) ?? '';
    const [first, second] = [await idOf(0), await idOf(1)];
    const what = await page.locator(`#${first} .sum-of`).textContent();
    for (const key of ['j', 'e']) await page.keyboard.press(key);
    expect(await page.locator(':focus').getAttribute('name'), 'e without a note leads to it').to.equal('note');
    await page.keyboard.press('Escape');
    await page.keyboard.press('p');
    expect(await page.locator(':focus').getAttribute('name'), 'p without a note too').to.equal('note');
    await page.keyboard.insertText('the bank was asked, ejku');
    await page.keyboard.press('Escape');
    await page.keyboard.press('e');
    await page.waitForURL(/decided=/);
    expect(await page.locator(`#${first}`).count(), 'it is off the list').to.equal(0);
    expect(await page.locator(':focus').getAttribute('id'), 'the next one is where one goes on').to.equal(second);
    const said = page.locator('.decided');
    expect(await said.innerText(), 'what it is of').to.match(
      new RegExp(
        `Taken off the list: ${what ?? 'no item'} of (?:order recon-\\d|the bank line UTR999999999 of ${DAY})\\.`,
      ),
    );
    const box = await said.boundingBox();
    const item = await page.locator(':focus').boundingBox();
    expect(box?.y, 'what was done is in sight').to.be.at.least(0);
    expect(item?.y, 'and does not cover the next one').to.be.at.least((box?.y ?? 0) + (box?.height ?? 0));
    await page.keyboard.press('u');
    await page.waitForURL((url) => url.hash === `#${first}`);
    expect(await page.locator(':focus').getAttribute('id')).to.equal(first);
    await page.keyboard.press('n');
    await page.keyboard.insertText('settled by phone');
    await page.keyboard.press('Enter');
    await page.waitForURL(/decided=/);
    await visitor.open(`${PAGE}?state=explained`);
    expect(await mainText(visitor)).to.include('settled by phone');
  });

  it('decides nothing that hides a difference without a reason: the item stays, and says what is missing', async () => {
    const cookie = await scene.cookie('full');
    const listed = await scene.ask(`${PAGE}?orderId=recon-2`, 'full');
    const itemId = /id="item-([0-9a-f]{40})"/.exec(listed.text)?.[1] ?? '';
    const fields = { token: hiddenField(listed, 'token'), back: 'orderId=recon-2', note: ' \t ' };
    const sent = (decision: string) =>
      sendForm(scene.url, `${PAGE}/${itemId}/decision`, { ...fields, decision }, { cookie });
    for (const [decision, why] of [
      ['explain', 'say why it needs nothing more'],
      ['reject', 'say why they do not belong together'],
    ] as const) {
      const { status, headers } = await sent(decision);
      const location = String(headers['location']);
      expect([status, location]).to.deep.equal([
        303,
        `${PAGE}?orderId=recon-2&unsaid=${itemId}&as=${decision}#note-${itemId}`,
      ]);
      await plain.open(location);
      const item = plain.page.locator(`#item-${itemId}`);
      expect(await item.innerText())
        .to.include('Does not agree')
        .and.to.include(`Nothing was decided: ${why}`);
      expect(await item.getByLabel('Why').getAttribute('aria-invalid')).to.equal('true');
      await narrow.open(location);
      expect(await narrow.page.locator(':focus').getAttribute('name')).to.equal('note');
      await expectAccessible(narrow.page);
    }
    const button = plain.page.getByRole('button', { name: 'Off the list' });
    await button.click();
    expect(new URL(plain.page.url()).search, 'the browser asks for it by itself').to.include('unsaid=');
    expect((await scene.api('/v1/reconciliation/items?orderId=recon-2')).text).to.include('"decision":null');
  });

  it('is worked off without scripts too', async () => {
    await plain.open(`${PAGE}?orderId=recon-2`);
    await plain.page.getByLabel('Why').fill('a fee that we bear');
    await plain.page.getByRole('button', { name: 'They belong together' }).click();
    await plain.page.waitForURL(/decided=/);
    expect(await plain.page.locator('.decided').innerText()).to.include(
      'They belong together: 100.00 INR of order recon-2.',
    );
    expect(await mainText(plain))
      .to.match(/Matched/)
      .and.to.include('a fee that we bear');
    await plain.page.getByRole('button', { name: 'Take it back' }).first().click();
    await plain.page.waitForURL(/#item-/);
    expect(await mainText(plain)).to.match(/Does not agree/);
  });

  it('lets what was parted be decided on further, and each decision be taken back', async () => {
    const done = async (button: string): Promise<string> => {
      await plain.open(`${PAGE}?orderId=recon-2`);
      const item = plain.page.locator('.entries > li').first();
      if (button !== 'Take it back') await item.getByLabel('Why').fill('paid at the till');
      await item.getByRole('button', { name: button }).click();
      await plain.page.waitForURL(button === 'Take it back' ? /#item-/ : /decided=/);
      await plain.open(`${PAGE}?orderId=recon-2`);
      return mainText(plain);
    };
    expect(await done('They do not'))
      .to.include('Missing at bank or chain')
      .and.to.include('They do not belong together');
    expect(await done('Off the list'))
      .to.include('Explained')
      .and.to.include('paid at the till');
    expect(await plain.page.getByRole('button', { name: 'Off the list' }).count()).to.equal(0);
    expect(await done('Take it back')).to.include('Missing at bank or chain');
    expect(await done('Take it back')).to.include('Does not agree');
  });

  const send = (cookie: string, token: string, content: string, headers: Record<string, string> = {}) =>
    handIn(scene.url, cookie, { name: 'a.csv', content, token, headers });

  it('takes a file from this session and console alone, of the size that it says', async () => {
    const cookie = await scene.cookie('full');
    const token = hiddenField(await scene.ask(PAGE, 'full'), 'token');
    expect((await send(cookie, 'another', CSV)).status, 'without its token').to.equal(403);
    expect((await send(cookie, token, CSV, { 'sec-fetch-site': 'cross-site' })).status, 'from elsewhere').to.equal(403);
    expect((await send(cookie, token, '')).status, 'an empty file').to.equal(400);
    const large = await send(cookie, token, 'x'.repeat(16 * 1_048_576 + 1));
    expect([large.status, large.text.includes('statement-unreadable')], 'too large').to.deep.equal([422, true]);
    const taken = await send(cookie, token, CSV);
    expect(taken.status).to.equal(303);
    const location = String(taken.headers['location']);
    expect((await exchange(scene.url, { path: location, headers: { cookie } })).status).to.equal(200);
    const other = await signedInCookie(scene.url, keyText('full'));
    expect((await exchange(scene.url, { path: location, headers: { cookie: other } })).status, 'of others').to.equal(
      404,
    );
    expect((await scene.ask(`${PAGE}/import`, 'reports')).status).to.equal(403);
  });

  it('tells nobody who may not see what lines say which of those in a file are there already', async () => {
    const preview = async (key: KeyName): Promise<string> => {
      const cookie = await scene.cookie(key);
      const { headers } = await send(cookie, hiddenField(await scene.ask(PAGE, key), 'token'), CSV);
      return (await readAs(scene.url, cookie, String(headers['location']), { currency: 'INR' })).text;
    };
    expect(await preview('full')).to.match(/3<\/strong> lines,\s*<strong>\d<\/strong> of them new/);
    const guessed = await preview('masked');
    expect(guessed).to.match(/3<\/strong> lines; how many of them are new is told when they are imported/);
    expect(guessed).not.to.include('of them new');
  });

  it('keeps the columns as a profile with an import, and leaves it as it was where the file is refused', async () => {
    const cookie = await scene.cookie('full');
    const token = hiddenField(await scene.ask(PAGE, 'full'), 'token');
    const taken = async (amount: string): Promise<string> => {
      const { headers } = await send(cookie, token, CSV.replace('7,00', amount));
      return new URL(String(headers['location']), scene.url).pathname;
    };
    const columnsAt = async (path: string): Promise<string> =>
      hiddenField(
        await readAs(scene.url, cookie, path, { by: 'profile', profile: 'kept', currency: 'INR' }),
        'columns',
      ).replaceAll('&quot;', '"');
    const confirm = async (path: string, columns: string): Promise<number> =>
      (await sendForm(scene.url, path, { token, columns, profile: 'kept', currency: 'INR' }, { cookie })).status;
    const first = await taken('8,00');
    const columns = await columnsAt(first);
    expect(await confirm(first, columns)).to.equal(303);
    const second = await taken('9,00');
    expect(await confirm(second, columns.replaceAll('Paid out', 'Debit')), 'a column that is not there').to.equal(422);
    expect(await columnsAt(second)).to.equal(columns);
    expect(await confirm(second, columns.replaceAll('"Narration"', '')), 'other text columns').to.equal(303);
    expect(await columnsAt(await taken('10,00'))).to.equal(columns.replaceAll('"Narration"', ''));
  });

  it('imports a workbook as it was previewed', async () => {
    await visitor.open(PAGE);
    await hand(visitor, 'month.xlsx', await workbook());
    await visitor.page.getByRole('button', { name: 'Import 2 lines' }).click();
    await visitor.page.waitForURL(/imported=/);
    expect(await mainText(visitor)).to.match(/month\.xlsx is imported: 2 lines, 2 of them new/);
    expect(await statements())
      .to.include('"format":"xlsx"')
      .and.to.include('"account":"ACC-9"');
    await visitor.open(PAGE);
    await visitor.page.getByText('Bank files: which accounts').click();
    await visitor.page.getByRole('button', { name: 'ACC-9' }).click();
    await visitor.page.waitForURL(`**${PAGE}/search`);
    expect((await mainText(visitor)).replaceAll(/\s+/g, ' ')).to.match(/XLSX-1.*XLSX-2|XLSX-2.*XLSX-1/);
  });

  it('can be read where a status is marked, in the dark too, and pressed by a thumb, as the audit can', async () => {
    await scene.deliver([[{ ...paid(4), status: 'fiatFailed', utr: 'UTR999999999', fiat: 7 }]]);
    await narrow.open(`${PAGE}?break=status-conflict`);
    expect(await narrow.page.locator('mark .badge.failed').count(), 'a marked status').to.equal(1);
    await expectAccessible(narrow.page);
    for (const path of [`${PAGE}?break=status-conflict`, PAGE, '/console/audit']) {
      await narrow.open(path);
      await expectRoomToPress(narrow.page);
    }
  });
});
