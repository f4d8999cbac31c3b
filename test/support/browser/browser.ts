import { expect } from 'chai';
import { chromium, type BrowserContextOptions, type ConsoleMessage, type Page } from 'playwright-core';
import { chromiumPlace, type Fonts } from './chromium-place.ts';

/** Somebody with a browser window of their own, and cookies of their own. */
export type Visitor = {
  readonly page: Page;
  /** Opens a page of the ledger, and answers its status. */
  readonly open: (path: string) => Promise<number>;
  /** Fails where anything was asked of another machine, blocked by the page's policy, an error, or a dialog. */
  readonly expectPeace: () => void;
  readonly close: () => Promise<void>;
};

type VisitorOptions = {
  /** Where the ledger answers. */
  readonly url: string;
  /** `name=value`, as `signedInCookie` answers it. */
  readonly cookie?: string;
  readonly scripts?: boolean;
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
};

export type TestBrowser = {
  readonly visitor: (options: VisitorOptions) => Promise<Visitor>;
  readonly close: () => Promise<void>;
};

const HEIGHT = 900;
const WIDTH = 1_280;
/** What takes longer is a hang. */
const HANGS_AFTER_MS = 20_000;

/** A status of 400 or more of a page that was asked for is the page's own matter; of anything that it loads it is not. */
const isOwnStatus = (page: Page, message: ConsoleMessage): boolean =>
  message.text().startsWith('Failed to load resource: the server responded with a status of') &&
  message.location().url === page.url();

const listenTo = (page: Page, complaints: string[]): void => {
  page.on('console', (message) => {
    if (!['error', 'warning', 'assert'].includes(message.type()) || isOwnStatus(page, message)) return;
    complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (hostname !== '127.0.0.1' || protocol !== 'http:') complaints.push(`asked for ${request.url()}`);
  });
};

const contextOptions = ({ url, scripts, theme, width, height }: VisitorOptions): BrowserContextOptions => ({
  baseURL: url,
  javaScriptEnabled: scripts ?? true,
  colorScheme: theme ?? 'light',
  viewport: { width: width ?? WIDTH, height: height ?? HEIGHT },
  locale: 'en-GB',
});

/** Starts Chromium, which reaches nothing but this machine. A test file starts one, and closes it in its `after`. */
export const openBrowser = async (options: { readonly fonts?: Fonts } = {}): Promise<TestBrowser> => {
  const { executable, fonts } = await chromiumPlace();
  const browser = await chromium.launch({
    executablePath: executable,
    args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--font-render-hinting=none', '--disable-gpu'],
    env: { ...process.env, ...(fonts === null ? {} : { FONTCONFIG_FILE: fonts[options.fonts ?? 'its own'] }) },
  });
  return {
    visitor: async (options) => {
      const context = await browser.newContext(contextOptions(options));
      context.setDefaultTimeout(HANGS_AFTER_MS);
      const [name, value] = options.cookie?.split('=') ?? [];
      if (name !== undefined && value !== undefined) {
        await context.addCookies([{ name, value, url: options.url, httpOnly: true, sameSite: 'Strict' }]);
      }
      const page = await context.newPage();
      const complaints: string[] = [];
      listenTo(page, complaints);
      return {
        page,
        open: async (path) => (await page.goto(path))?.status() ?? 0,
        expectPeace: () => expect(complaints, page.url()).to.deep.equal([]),
        close: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
};
