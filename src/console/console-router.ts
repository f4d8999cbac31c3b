import { randomBytes } from 'node:crypto';
import { Router } from '@koa/router';
import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { keyShown } from '../access/api-key.ts';
import { keyReader, type Reader } from '../access/reader.ts';
import { peerOf, signInTries } from '../access/sign-in-tries.ts';
import { epochMsOf } from '../domain/instant.ts';
import type { ApiContext, ApiRouter } from '../http/api-context.ts';
import { routerPath } from '../http/documented-router.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import { personalDataFor } from '../queries/masking/personal-data.ts';
import { positionParameter, whenIncluded } from '../queries/parameters/position-parameter.ts';
import { sendReply } from '../replies/reply.ts';
import { assetAt } from './assets.ts';
import type { ConsoleDependencies } from './console-dependencies.ts';
import type { ConsoleQuestion, ConsoleRoute } from './console-question.ts';
import { failurePage } from './failure-page.ts';
import { filledTexts } from './filled-parameters.ts';
import { formFields } from './form-fields.ts';
import { frame } from './frame.ts';
import { pageText, type Html } from './html.ts';
import { timesIn } from './local-time.ts';
import { sent, type Page, type PageAnswer, type WrittenPage } from './page.ts';
import { handedPage, type HandedPage } from './handed-page.ts';
import { isFromHere } from './same-origin.ts';
import { setSecurityHeaders } from './security-headers.ts';
import { consoleCookies } from './session-cookie.ts';
import { formToken, isSameText, readSession, SESSION_SECONDS, sessionToken, type Session } from './session.ts';
import { shownFailure, type ShownFailure, type StaleForm } from './shown-failure.ts';
import { signInPage, type WrongTry } from './sign-in-page.ts';
import { uploadedForm, type UploadedForm } from './upload/uploaded-form.ts';

const HTML = 'text/html; charset=utf-8';
const NONCE_BYTES = 18;
const SECONDS = 1000;

/** What the console's frame stands on, beside its pages. */
export type ConsoleSettings = {
  /** The origin that browsers see behind a proxy; null where it is not said. */
  readonly publicUrl: string | null;
  /** Whether a host name is of this machine only, so that no TLS is needed to reach it. */
  readonly isLoopback: (host: string) => boolean;
};

/** Addresses without a page of their own, and the page that is meant by them. */
const SHORT_PATHS = [
  ['/console', '/'],
  ['/console/', '/'],
  ['/console/reports', '/console/reports/onramp'],
] as const;

const WRONG_KEY: WrongTry = { status: 401, text: 'This key is not valid.' };
const WRONG_FORM: WrongTry = {
  status: 401,
  text: 'This form was no longer valid. Please sign in again; cookies must be allowed.',
};
const tooManyTries = (seconds: number): WrongTry => ({
  status: 429,
  text: `Too many keys from your address were wrong. Try again in ${seconds} seconds.`,
});

type Document = Extract<WrittenPage, { readonly _tag: 'Document' }>;

const newNonce = (): string => randomBytes(NONCE_BYTES).toString('base64url');

const NOTHING_SENT: UploadedForm = {
  fields: new Map(),
  file: null,
  isTooLarge: false,
  drop: () => Promise.resolve(),
};

const STALE_FORM: StaleForm = { _tag: 'StaleForm' };

/** Behind a proxy that ends TLS, only the host name is what the user sees. */
const originOf = (ctx: ApiContext, { publicUrl, isLoopback }: ConsoleSettings): string =>
  publicUrl ?? `${isLoopback(ctx.hostname) ? 'http' : 'https'}://${ctx.get('Host')}`;

/** What somebody typed, which stays where it can be mended. */
type Typed = { readonly form?: Html | null; readonly searched?: string };

/** What was typed into the page that can't be shown: the form's fields where one of them is wrong, and what was searched for. */
const typedInto = ({ form }: ConsoleRoute, question: ConsoleQuestion, { _tag }: QueryFailure): Typed => ({
  form:
    form !== undefined && (_tag === 'InvalidParameter' || _tag === 'TooManyRows' || _tag === 'MomentTooFar')
      ? form(new Map(filledTexts(question)), question)
      : null,
  searched: question.form.get('q') ?? '',
});

/** A page of this console that a form may lead to: a path, never another site's address. */
const isOwnPath = (path: string): boolean => /^\/(?![/\\])[\x21-\x7e]{0,2000}$/.test(path) && !path.includes('\\');

const lead = (ctx: ApiContext, location: string): void => {
  setSecurityHeaders(ctx, newNonce());
  ctx.status = 303;
  ctx.set('Location', location);
  ctx.body = '';
};

/** The pages of the console behind their sign-in (docs/spec/http.md, Console). */
export const consoleRouter = (
  deps: Pick<
    ConsoleDependencies,
    | 'apiKeys'
    | 'calendar'
    | 'endedSessions'
    | 'handOverPage'
    | 'stagedFiles'
    | 'limits'
    | 'now'
    | 'log'
    | 'store'
    | 'readModels'
  >,
  settings: ConsoleSettings,
  routes: readonly ConsoleRoute[],
): ApiRouter => {
  const router: ApiRouter = new Router({ sensitive: true, strict: true });
  const goesOverTls = (ctx: ApiContext): boolean => settings.publicUrl !== null || !settings.isLoopback(ctx.hostname);
  const cookies = consoleCookies(goesOverTls);
  const tries = signInTries();
  const times = timesIn(deps.calendar.timeZone);
  const nowSeconds = (): number => Math.floor(epochMsOf(deps.now()) / SECONDS);

  const send = async (ctx: ApiContext, page: Page, session: Session | null, after = ''): Promise<void> => {
    const nonce = newNonce();
    setSecurityHeaders(ctx, nonce);
    ctx.status = page.status ?? 200;
    ctx.type = HTML;
    ctx.body = await pageText(frame(page, { nonce, session, times, after }));
  };

  const logFailure = (ctx: ApiContext, { code, cause }: ShownFailure): void => {
    if (cause !== null) deps.log.error({ requestId: ctx.state.requestId, code, cause }, 'a page failed');
  };

  const sendFailure = (
    ctx: ApiContext,
    failure: QueryFailure | StaleForm,
    session: Session,
    { form = null, searched = '' }: Typed = {},
  ): Promise<void> => {
    const shown = shownFailure(failure);
    const { againInSeconds } = shown;
    logFailure(ctx, shown);
    if (againInSeconds !== null) ctx.set('Retry-After', String(againInSeconds));
    return send(ctx, { ...failurePage(shown, ctx.state.requestId, form), searched }, session);
  };

  const sessionOf = (ctx: ApiContext): Session | null => {
    const token = cookies.session(ctx);
    const session = token === null ? null : readSession(token, deps.apiKeys(), nowSeconds());
    if (session === null || deps.endedSessions.has(session)) return null;
    ctx.state.apiKeyId = session.key.id;
    return session;
  };

  const readerIn = (session: Session): Reader => {
    const { keyId, mayRead } = keyReader(deps.apiKeys, session.key);
    return {
      keyId,
      mayRead: () => nowSeconds() < session.expiresAt && !deps.endedSessions.has(session) && mayRead(),
    };
  };

  /** A page that is shown anew must include what its reader was just told of. */
  const whenShown = (ctx: ApiContext): TE.TaskEither<QueryFailure, void> => {
    const position = ctx.get('X-Position');
    return pipe(
      positionParameter(deps.store, position === '' ? null : position),
      TE.chain((included) => whenIncluded(deps, included)),
    );
  };

  const askToSignIn = (ctx: ApiContext, next: string, wrong: WrongTry | null): Promise<void> => {
    const token = newNonce();
    cookies.setSignInToken(ctx, token);
    return send(ctx, signInPage(token, next, wrong), null);
  };

  /** It is over at once; where that can't be kept, a restart within its eight hours would bring it back. */
  const endSession = (ctx: ApiContext, session: Session): Promise<void> =>
    deps.endedSessions.end(session, nowSeconds()).catch((error: unknown) => {
      const { requestId } = ctx.state;
      deps.log.error({ requestId, cause: String(error) }, 'a sign-out is not kept, and does not outlast a restart');
    });

  /** What a form brings. Of a form from elsewhere no file is taken: its body is not read. */
  const sentForm = async (ctx: ApiContext, { mostFileBytes }: ConsoleRoute): Promise<UploadedForm> => {
    if (mostFileBytes === undefined) return { ...NOTHING_SENT, fields: await formFields(ctx) };
    if (isFromHere(ctx, settings.publicUrl)) return uploadedForm(ctx, deps.stagedFiles.folder(), mostFileBytes);
    ctx.set('Connection', 'close');
    return NOTHING_SENT;
  };

  /** A large page is made elsewhere, where it holds up no delivery; here where that can't be now. */
  const answerTo =
    (
      route: ConsoleRoute,
      question: ConsoleQuestion,
      beside: Pick<HandedPage, 'scriptNonce' | 'after'>,
    ): TE.TaskEither<QueryFailure, PageAnswer | Document> =>
    async () => {
      const made = route.isLarge === true ? await deps.handOverPage?.(handedPage(route, question, beside)) : null;
      if (made === undefined || made === null) return route.answer(question)();
      return E.map((page: WrittenPage): PageAnswer | Document => {
        if (page._tag !== 'File') return page;
        const { type, headers, bytes } = page;
        return sent({ type, headers, body: Buffer.from(bytes.buffer) });
      })(made);
    };

  const answerSent = async (
    ctx: ApiContext,
    route: ConsoleRoute,
    session: Session,
    { fields: form, file, isTooLarge }: UploadedForm,
  ): Promise<void> => {
    const isOwn = isFromHere(ctx, settings.publicUrl) && isSameText(form.get('token') ?? '', formToken(session));
    if (route.method === 'post' && !isOwn && !isTooLarge) return sendFailure(ctx, STALE_FORM, session);
    const after = deps.readModels.progress().checkpoint?.position ?? '';
    const scriptNonce = newNonce();
    const question = {
      session,
      reader: readerIn(session),
      personal: personalDataFor(session.key.scopes),
      path: ctx.path,
      querystring: ctx.querystring,
      form,
      file,
      isTooLarge,
      times,
      now: deps.now(),
      requestId: ctx.state.requestId,
      lastEventId: ctx.get('Last-Event-ID'),
      origin: originOf(ctx, settings),
    } as const;
    const counted = pipe(
      deps.limits.count(session.key.id),
      TE.chainW(() => whenShown(ctx)),
      TE.chainW(() => answerTo(route, question, { scriptNonce, after })),
    );
    const answer = await deps.limits.admit(session.key.id, counted)();
    if (E.isLeft(answer)) return sendFailure(ctx, answer.left, session, typedInto(route, question, answer.left));
    if (answer.right._tag === 'SeeOther') return lead(ctx, answer.right.location);
    if (answer.right._tag === 'Document') {
      const { status, bytes } = answer.right;
      setSecurityHeaders(ctx, scriptNonce);
      ctx.status = status;
      ctx.type = HTML;
      ctx.body = Buffer.from(bytes.buffer);
      return;
    }
    if (answer.right._tag === 'Sent') {
      const failedMeanwhile = await sendReply(ctx, deps.log, null, answer.right.reply);
      if (failedMeanwhile !== null) logFailure(ctx, shownFailure(failedMeanwhile));
      return;
    }
    return send(ctx, answer.right.page, session, after);
  };

  const answered =
    (route: ConsoleRoute) =>
    async (ctx: ApiContext): Promise<void> => {
      const session = sessionOf(ctx);
      if (session === null) {
        // A form can't be sent again after the sign-in: its page is where one goes on.
        const next = route.method === 'get' && isOwnPath(ctx.url) ? ctx.url : '/';
        return askToSignIn(ctx, next, null);
      }
      const missing = route.scopes.find((scope) => !session.key.scopes.has(scope));
      if (missing !== undefined)
        return sendFailure(ctx, { _tag: 'Forbidden', scope: missing, parameter: null }, session);
      const sent = route.method === 'post' ? await sentForm(ctx, route) : NOTHING_SENT;
      try {
        await answerSent(ctx, route, session, sent);
      } finally {
        await sent.drop();
      }
    };

  for (const route of routes) router[route.method](routerPath(route.path), answered(route));

  // Addresses that people shorten by hand.
  for (const [typed, meant] of SHORT_PATHS) router.get(typed, (ctx) => lead(ctx, meant));

  router.post('/console/sign-in', async (ctx) => {
    const form = await formFields(ctx);
    const wanted = form.get('next') ?? '/';
    const next = isOwnPath(wanted) ? wanted : '/';
    const given = cookies.signInToken(ctx);
    if (!isFromHere(ctx, settings.publicUrl) || given === null || !isSameText(form.get('token') ?? '', given)) {
      return askToSignIn(ctx, next, WRONG_FORM);
    }
    const peer = peerOf(ctx.req.socket.remoteAddress, settings.publicUrl === null ? null : ctx.get('X-Forwarded-For'));
    const waitSeconds = await tries.count(peer);
    if (waitSeconds !== null) {
      ctx.set('Retry-After', String(waitSeconds));
      return askToSignIn(ctx, next, tooManyTries(waitSeconds));
    }
    const key = keyShown(deps.apiKeys(), form.get('key')?.trim() ?? '');
    if (key === null) return askToSignIn(ctx, next, WRONG_KEY);
    await tries.wasRight(peer);
    ctx.state.apiKeyId = key.id;
    const session = { key, nonce: newNonce(), expiresAt: nowSeconds() + SESSION_SECONDS };
    cookies.setSession(ctx, sessionToken(session), SESSION_SECONDS);
    return lead(ctx, next);
  });

  router.post('/console/sign-out', async (ctx) => {
    const session = sessionOf(ctx);
    const form = await formFields(ctx);
    if (
      session !== null &&
      !(isFromHere(ctx, settings.publicUrl) && isSameText(form.get('token') ?? '', formToken(session)))
    ) {
      return sendFailure(ctx, STALE_FORM, session);
    }
    if (session !== null) await endSession(ctx, session);
    cookies.endSession(ctx);
    return lead(ctx, '/');
  });

  router.get('/console/assets/:digest/:name', (ctx) => {
    const file = assetAt(ctx.path);
    if (file === null) {
      ctx.status = 404;
      return;
    }
    ctx.set({ 'Cache-Control': 'public, max-age=31536000, immutable', 'X-Content-Type-Options': 'nosniff' });
    ctx.type = file.type;
    ctx.body = file.body;
  });
  return router;
};
