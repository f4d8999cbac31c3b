import * as E from 'fp-ts/lib/Either.js';
import { keyShown } from '../access/api-key.ts';
import { signInTries } from '../access/sign-in-tries.ts';
import { FairBeginnings } from '../concurrency/fair-beginnings.ts';
import type { ApiContext, ApiRouter } from '../http/api-context.ts';
import { peerOf } from '../http/connections/peer-of.ts';
import { readUrlEncoded } from '../http/url-encoded.ts';
import type { ConsoleDependencies } from './console-dependencies.ts';
import { newNonce, type ConsoleReplies } from './console-replies.ts';
import type { ConsoleSettings } from './console-settings.ts';
import { formFields, leaveFormUnread, type FormReading, type FormUnread } from './form-fields.ts';
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
const UNREAD: Readonly<Record<FormUnread, WrongTry>> = {
  'too-large': { status: 413, text: 'This form was too large. A key has a few dozen characters.' },
  'ill-formed': { status: 400, text: 'This form was not sent as a browser sends it. Please sign in again.' },
};
const tooManyTries = (seconds: number): WrongTry => ({
  status: 429,
  text: `Too many keys were wrong. Try again in ${soMany(seconds, 'second')}.`,
});

/** The largest form of somebody who has not signed in: far more than its token and a key take. */
const MOST_BYTES = 8_192;

/** What signing in and out stands on. */
export type SignInDependencies = {
  readonly apiKeys: ConsoleDependencies['apiKeys'];
  readonly settings: ConsoleSettings;
  readonly cookies: Cookies;
  readonly replies: ConsoleReplies;
  readonly sessions: SignedIn;
};

/** A page of this console that a form may lead to: a path, never another site's address. */
const isOwnPath = (path: string): boolean => /^\/(?![/\\])[\x21-\x7e]{0,2000}$/.test(path) && !path.includes('\\');

/** The page that a form leads to. It is in the form's address, so that a form which is refused unread leads there too. */
const pageAfter = ({ querystring }: Pick<ApiContext, 'querystring'>): string => {
  const wanted = readUrlEncoded(querystring)?.get('next') ?? '/';
  return isOwnPath(wanted) ? wanted : '/';
};

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

/**
 * Adds what signs in, with limits on wrong tries, and out (docs/spec/http.md, Console).
 *
 * What can be told by the headers is told before the body is read. Forms whose last bytes come in one moment are judged one in each
 * turn of the loop and by turns of those who send them: a delivery would wait behind all of them.
 */
export const addSignInRoutes = (router: ApiRouter, deps: SignInDependencies): void => {
  const { apiKeys, settings, cookies, replies, sessions } = deps;
  const tries = signInTries();
  const beginnings = new FairBeginnings();
  const sentBy = (peer: string): FormReading => ({ mostBytes: MOST_BYTES, turn: () => beginnings.turn(peer) });

  /** Too many tries of a peer were wrong; null: it may make another one. */
  const mustWait = (ctx: ApiContext, peer: string): WrongTry | null => {
    const waitSeconds = tries.waitSeconds(peer);
    if (waitSeconds === null) return null;
    ctx.set('Retry-After', String(waitSeconds));
    return tooManyTries(waitSeconds);
  };

  router.post('/console/sign-in', async (ctx) => {
    const given = cookies.signInToken(ctx);
    const next = pageAfter(ctx);
    const peer = peerOf(ctx.req.socket.remoteAddress, settings.publicUrl === null ? null : ctx.get('X-Forwarded-For'));
    if (given === null || !isFromHere(ctx, settings.publicUrl)) {
      leaveFormUnread(ctx);
      return askForKey(deps, ctx, next, WRONG_FORM);
    }
    const early = mustWait(ctx, peer);
    if (early !== null) {
      leaveFormUnread(ctx);
      return askForKey(deps, ctx, next, early);
    }
    const read = await formFields(ctx, sentBy(peer));
    if (E.isLeft(read)) return askForKey(deps, ctx, next, UNREAD[read.left]);
    const form = read.right;
    if (!isSameText(form.get('token') ?? '', given)) return askForKey(deps, ctx, next, WRONG_FORM);
    // Others of the same peer may have been wrong while this form came.
    const late = mustWait(ctx, peer);
    if (late !== null) return askForKey(deps, ctx, next, late);
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
    if (session === null || !isFromHere(ctx, settings.publicUrl)) {
      leaveFormUnread(ctx);
      // A form of another site comes without the cookie, which an answer to it would take away all the same.
      return session === null ? replies.lead(ctx, '/') : replies.sendFailure(ctx, STALE_FORM, session);
    }
    const form = await formFields(ctx);
    const isOwn = E.isRight(form) && isSameText(form.right.get('token') ?? '', formToken(session));
    if (!isOwn) return replies.sendFailure(ctx, STALE_FORM, session);
    await sessions.end(ctx, session);
    cookies.endSession(ctx);
    return replies.lead(ctx, '/');
  });
};
