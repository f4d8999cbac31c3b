import type { ApiContext } from '../http/api-context.ts';

const NAME = 'ramp-ledger-session';
const FORM_NAME = 'ramp-ledger-sign-in';

/** As it was given out: a text of another form is none of this console's. */
const FORM_TOKEN = /^[\w-]{24}$/;

/** The cookies of the console. */
export type Cookies = {
  readonly session: (ctx: ApiContext) => string | null;
  readonly setSession: (ctx: ApiContext, token: string, seconds: number) => void;
  readonly endSession: (ctx: ApiContext) => void;
  /** What the form for signing in was given out with. */
  readonly signInToken: (ctx: ApiContext) => string | null;
  readonly setSignInToken: (ctx: ApiContext, token: string) => void;
};

/**
 * The console's cookies: not readable by scripts, and sent by no other site (SameSite=Strict). `goesOverTls`: whether
 * nothing but TLS may carry them, as everywhere but on a loopback host.
 */
export const consoleCookies = (goesOverTls: (ctx: ApiContext) => boolean): Cookies => {
  const fullName = (ctx: ApiContext, name: string): string => (goesOverTls(ctx) ? `__Host-${name}` : name);
  const read = (ctx: ApiContext, name: string): string | null => {
    const value = ctx.cookies.get(fullName(ctx, name), { signed: false });
    return value === undefined || value === '' ? null : value;
  };
  const write = (ctx: ApiContext, name: string, value: string, seconds: number | null): void => {
    const attributes = ['Path=/', 'HttpOnly', 'SameSite=Strict'];
    if (seconds !== null) attributes.push(`Max-Age=${seconds}`);
    if (goesOverTls(ctx)) attributes.push('Secure');
    // Written as it is: the cookie writer of the framework refuses Secure where TLS ends before this process.
    ctx.append('Set-Cookie', [`${fullName(ctx, name)}=${value}`, ...attributes].join('; '));
  };
  return {
    session: (ctx) => read(ctx, NAME),
    setSession: (ctx, token, seconds) => write(ctx, NAME, token, seconds),
    endSession: (ctx) => write(ctx, NAME, '', 0),
    signInToken: (ctx) => {
      const token = read(ctx, FORM_NAME);
      return token !== null && FORM_TOKEN.test(token) ? token : null;
    },
    setSignInToken: (ctx, token) => write(ctx, FORM_NAME, token, null),
  };
};
