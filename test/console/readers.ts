import { expect } from 'chai';
import { exchange, type Answer } from '../support/exchange.ts';
import { keyOf, type RouterScene } from './router-scene.ts';
import { signedInCookie } from './sign-in.ts';

export const KEY = 'reader-api-key-of-at-least-24-bytes';
export const OTHER_KEY = 'other-api-key-of-at-least-24-bytes';

/** Who may see orders, by `KEY`. */
export const READER = keyOf('reader', KEY, ['orders:read']);
/** The same, by `OTHER_KEY`. */
export const OTHER = keyOf('other', OTHER_KEY, ['orders:read']);

/** The page that a reader looks at. */
export const SEEN = '/console/orders';

type Readers = {
  /** Looks at the page with the cookie of a session. */
  readonly see: (cookie: string, path?: string) => Promise<Answer>;
  /** Gives the cookie of a new session. */
  readonly signIn: (key?: string) => Promise<string>;
  readonly expectSignedIn: (cookie: string, id?: string) => Promise<void>;
  readonly expectSignedOut: (cookie: string) => Promise<void>;
};

/** People at the console that is served now. */
export const readersAt = (scene: () => RouterScene): Readers => {
  const see = (cookie: string, path = SEEN): Promise<Answer> => exchange(scene().url, { path, headers: { cookie } });
  return {
    see,
    signIn: (key = KEY) => signedInCookie(scene().url, key),
    expectSignedIn: async (cookie, id = 'reader') => {
      expect((await see(cookie)).text).to.include(`<h1>${id}</h1>`);
    },
    expectSignedOut: async (cookie) => {
      expect((await see(cookie)).text).to.include('<h1>Sign in</h1>');
    },
  };
};
