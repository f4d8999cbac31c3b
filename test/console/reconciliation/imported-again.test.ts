import { expect } from 'chai';
import { expectAccessible } from '../../support/browser/axe.ts';
import { openBrowser, type TestBrowser, type Visitor } from '../../support/browser/browser.ts';
import { expectNoSidewaysScroll } from '../../support/browser/layout.ts';
import type { Answer } from '../../support/exchange.ts';
import type { KeyName } from '../console-keys.ts';
import { consoleScene, type ConsoleScene } from '../console-scene.ts';
import { handIn, readAs } from '../hand-in.ts';
import { hiddenField, sendForm } from '../sign-in.ts';

const CSV = [
  'Date;Narration;Ref;Paid out;Paid in',
  '10/03/2026;PAYOUT;UTR000000001;100,00;',
  '10/03/2026;FEE;UTR000000002;7,00;',
  '',
].join('\r\n');

const MT940 = [
  ':20:X',
  ':25:ACC-2',
  ':28C:1/1',
  ':60F:C260310INR100,00',
  ':61:2603100310D50,00NTRFNONREF//UTR000000003',
  ':86:PAYOUT',
  ':62F:C260310INR50,00',
  '-',
  '',
].join('\r\n');

const SAME_BYTES =
  'it has the same bytes; with an empty line more at its end, or saved again, it is a file of its own.';

/** What is typed at the preview. */
type Said = { readonly account?: string; readonly currency?: string; readonly profile?: string };

/** A file as it is previewed: where, as somebody says, and the page of it. */
type Preview = { readonly path: string; readonly said: Said; readonly page: Answer };

describe('a bank file that was imported before, at the console', () => {
  let scene: ConsoleScene;
  let browser: TestBrowser;
  let narrow: Visitor;
  before(async () => {
    [scene, browser] = await Promise.all([consoleScene(), openBrowser()]);
    narrow = await browser.visitor({ url: scene.url, cookie: await scene.cookie('full'), width: 390, theme: 'dark' });
  });
  afterEach(() => {
    narrow.expectPeace();
  });
  after(async () => {
    await browser.close();
    await scene.close();
  });

  const textOf = ({ text }: Answer): string =>
    text
      .slice(text.indexOf('<main'))
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/\s+/g, ' ');

  /** Hands a file in, and answers where its preview is. */
  const hand = async (key: KeyName, name: string, content: string): Promise<string> =>
    String((await handIn(scene.url, await scene.cookie(key), { name, content })).headers['location']);

  const read = async (key: KeyName, path: string, said: Said): Promise<Preview> => ({
    path,
    said,
    page: await readAs(scene.url, await scene.cookie(key), path, { ...said }),
  });

  /** The preview of a table, read as somebody says. */
  const previewOf = async (key: KeyName, content: string, said: Said): Promise<Preview> =>
    read(key, await hand(key, 'acme.csv', content), said);

  /** Confirms the import of what was previewed, and answers where that leads. */
  const confirm = async (key: KeyName, { path, said, page }: Preview): Promise<string> => {
    const names = ['token', 'format', 'account', 'currency'];
    const fields = new Map(names.map((name) => [name, hiddenField(page, name)]));
    if (page.text.includes('name="columns"'))
      fields
        .set('columns', hiddenField(page, 'columns').replaceAll('&quot;', '"'))
        .set('profile', said.profile ?? 'acme');
    const cookie = await scene.cookie(key);
    return String((await sendForm(scene.url, path, Object.fromEntries(fields), { cookie })).headers['location']);
  };

  const previewed = async (key: KeyName, content: string, said: Said): Promise<string> =>
    textOf((await previewOf(key, content, said)).page);

  const imported = async (key: KeyName, preview: Preview): Promise<string> =>
    textOf(await scene.ask(await confirm(key, preview), key));

  const looksWell = async (): Promise<void> => {
    await expectAccessible(narrow.page);
    await expectNoSidewaysScroll(narrow.page);
  };

  const files = async (): Promise<number> => (await scene.api('/v1/statements')).text.split('"statementId"').length - 1;

  const FIRST = { account: 'ACC-1', currency: 'INR' };
  const NOTHING_ADDED = 'acme.csv was imported before, for ACC-1 in INR: nothing was added.';

  it('is said to be one before and behind the import, and for what it was imported', async () => {
    const first = await previewOf('full', CSV, FIRST);
    expect(textOf(first.page))
      .to.include('Nothing is imported yet. 2 lines, 2 of them new')
      .and.not.to.include('imported before');
    expect(await imported('full', first)).to.include('acme.csv is imported: 2 lines, 2 of them new; account ACC-1.');
    const again = await previewOf('full', CSV, FIRST);
    expect(textOf(again.page))
      .to.include('This file was imported before, for ACC-1 in INR: it adds nothing. 2 lines, 0 of them new')
      .and.not.to.include('Nothing is imported yet')
      .and.not.to.include('not imported for');
    expect(await imported('full', again))
      .to.include(NOTHING_ADDED)
      .and.not.to.include('anything else');
    expect(await files()).to.equal(1);
  });

  for (const [what, said, named] of [
    ['account', { account: 'ACC-9', currency: 'INR' }, 'ACC-9 in INR'],
    ['currency', { account: 'ACC-1', currency: 'EUR' }, 'ACC-1 in EUR'],
  ] as const) {
    it(`is said to be none of another ${what} that it is handed in for, with the way out`, async () => {
      const preview = await previewOf('full', CSV, said);
      expect(textOf(preview.page)).to.include(
        `for ACC-1 in INR: it adds nothing. It is not imported for ${named}: ${SAME_BYTES} 2 lines, 0 of them new`,
      );
      await narrow.open(preview.path);
      await narrow.page.getByLabel(/^Account/).fill(said.account);
      await narrow.page.getByLabel(/^Currency/).fill(said.currency);
      await narrow.page.getByRole('button', { name: 'Read it like this' }).click();
      await narrow.page.waitForURL(/\/reading$/);
      expect(await narrow.page.locator('main').innerText()).to.include(named);
      await looksWell();
      const behind = await confirm('full', preview);
      expect(textOf(await scene.ask(behind, 'full'))).to.include(
        `${NOTHING_ADDED} It was not imported for anything else: ${SAME_BYTES}`,
      );
      expect(behind, 'an account stands in no URL of the match').to.not.include('ACC');
      await narrow.open(behind);
      await looksWell();
      expect(await files()).to.equal(1);
    }).timeout(60_000);
  }

  it('is not asked for otherwise by who names no account, but for another profile, which stands for one', async () => {
    expect(await previewed('full', CSV, { currency: 'INR', profile: 'other' })).to.include(
      `for ACC-1 in INR: it adds nothing. It is not imported for other in INR: ${SAME_BYTES}`,
    );
    const alike = await previewOf('full', CSV, { currency: 'INR', profile: 'acme' });
    expect(textOf(alike.page)).to.include('for ACC-1 in INR: it adds nothing.').and.not.to.include('not imported for');
    expect(await imported('full', alike))
      .to.include(NOTHING_ADDED)
      .and.not.to.include('anything else');
  });

  it('is told to who may not see what lines say when it is imported, and not at the preview', async () => {
    const preview = await previewOf('masked', CSV, { account: 'ACC-9', currency: 'INR' });
    expect(textOf(preview.page)).to.not.include('imported before');
    expect(await imported('masked', preview)).to.include(`${NOTHING_ADDED} It was not imported for anything else`);
  });

  it('is not told of one that can not be read as it is handed in', async () => {
    expect(await previewed('full', CSV, { account: 'ACC-1' }))
      .to.include('refused whole')
      .and.to.include('Nothing is imported yet')
      .and.not.to.include('imported before');
  });

  it('is told of one that names its account itself, and is another one with an empty line more', async () => {
    const march = (): Promise<string> => hand('full', 'march.sta', MT940);
    await confirm('full', await read('full', await march(), {}));
    expect(textOf(await scene.ask(await march(), 'full')))
      .to.include('for ACC-2 in INR: it adds nothing.')
      .and.not.to.include('not imported for');
    const own = await previewOf('full', `${CSV}\r\n`, { account: 'ACC-9', currency: 'INR' });
    expect(textOf(own.page)).to.not.include('imported before');
    expect(await imported('full', own)).to.include('acme.csv is imported: 2 lines, 2 of them new; account ACC-9.');
    expect(await files()).to.equal(3);
  });
});
