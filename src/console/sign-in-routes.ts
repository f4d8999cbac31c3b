import { keyShown } from '../access/api-key.ts';
import { signInTries } from '../access/sign-in-tries.ts';
import type { ApiContext, ApiRouter } from '../http/api-context.ts';
import { peerOf } from '../http/connections/peer-of.ts';
import type { ConsoleDependencies } from './console-dependencies.ts';
import { newNonce, type ConsoleReplies } from './console-replies.ts';
import type { ConsoleSettings } from './console-settings.ts';
import { OF_ANYBODY, type ReadForm } from './form-fields.ts';
import { isFromHere } from './same-origin.ts';
import type { Cookies } from './session-cookie.ts';
import { formToken, isSameText } from './session.ts';
import { signInPage, type WrongTry } from './sign-in-page.ts';
import { STALE_FORM } from './shown-failure.ts';
import type { SignedIn } from './signed-in.ts';
import { soMany } from '../domain/so-many.ts';

const WRONG_KEY: WrongTry = { status: 401, text: 'This key is not valid.' };
const WRONG_FORM: WrongTry = {
  status: 401,
  text: 'This form was no longer valid. Please sign in again; cookies must be allowed.',
};
const tooManyTries = (seconds: number): WrongTry => ({
  status: 429,
  text: `Too many keys were wrong. Try again in ${soMany(seconds, 'second')}.`,
});

/** What signing in and out stands on. */
export type SignInDependencies = {
  readonly apiKeys: ConsoleDependencies['apiKeys'];
  readonly settings: ConsoleSettings;
  readonly cookies: Cookies;
  readonly replies: ConsoleReplies;
  readonly sessions: SignedIn;
  readonly readForm: ReadForm;
};

/** A page of this console that a form may lead to: a path, never another site's address. */
const isOwnPath = (path: string): boolean => /^\/(?![/\\])[\x21-\x7e]{0,2000}$/.test(path) && !path.includes('\\');

/** Shows the form for signing in. `next`: the page that comes after it. */
const askForKey = async (
  { cookies, replies }: SignInDependencies,
  ctx: ApiContext,
  next: string,
  wrong: WrongTry | null,
): Promise<void> => {
  // Another tab of this browser may show the form too: of one that is given out anew the token would be another.
  const token = cookies.signInToken(ctx) ?? newNonce();
  cookies.setSignInToken(ctx, token);
  await replies.send(ctx, signInPage(token, next, wrong), null);
};

/** Asks whoever has not signed in. A form can't be sent again after the sign-in: its page is where one goes on. */
export const askToSignIn = (deps: SignInDependencies, ctx: ApiContext): Promise<void> =>
  askForKey(deps, ctx, ctx.method !== 'POST' && isOwnPath(ctx.url) ? ctx.url : '/', null);

/** Adds what signs in, with limits on wrong tries, and out (docs/spec/http.md, Console). */
export const addSignInRoutes = (router: ApiRouter, deps: SignInDependencies): void => {
  const { apiKeys, settings, cookies, replies, sessions, readForm } = deps;
  const tries = signInTries();
  const callerOf = (ctx: ApiContext): string =>
    peerOf(ctx.req.socket.remoteAddress, settings.publicUrl === null ? null : ctx.get('X-Forwarded-For'));

  router.post('/console/sign-in', async (ctx) => {
    const peer = callerOf(ctx);
    const form = await readForm(ctx, peer, OF_ANYBODY);
    const wanted = form.get('next') ?? '/';
    const next = isOwnPath(wanted) ? wanted : '/';
    const given = cookies.signInToken(ctx);
    if (!isFromHere(ctx, settings.publicUrl) || given === null || !isSameText(form.get('token') ?? '', given)) {
      return askForKey(deps, ctx, next, WRONG_FORM);
    }
    const waitSeconds = tries.waitSeconds(peer);
    if (waitSeconds !== null) {
      ctx.set('Retry-After', String(waitSeconds));
      return askForKey(deps, ctx, next, tooManyTries(waitSeconds));
    }
    const key = keyShown(apiKeys(), form.get('key')?.trim() ?? '');
    if (key === null) {
      tries.wasWrong(peer);
      return askForKey(deps, ctx, next, WRONG_KEY);
    }
    sessions.begin(ctx, key);
    return replies.lead(ctx, next);
  });

  router.post('/console/sign-out', async (ctx) => {
    const session = sessions.sessionOf(ctx);
    const form = await readForm(ctx, callerOf(ctx), OF_ANYBODY);
    // A form of another site comes without the cookie, which an answer to it would take away all the same.
    if (session === null) return replies.lead(ctx, '/');
    const isOwn = isFromHere(ctx, settings.publicUrl) && isSameText(form.get('token') ?? '', formToken(session));
    if (!isOwn) return replies.sendFailure(ctx, STALE_FORM, session);
    await sessions.end(ctx, session);
    cookies.endSession(ctx);
    return replies.lead(ctx, '/');
  });
};
