import { Router } from '../http/koa-router.ts';
import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { inPlace } from '../access/stream-places.ts';
import type { ApiContext, ApiRouter } from '../http/api-context.ts';
import { routerPath } from '../http/documented-router.ts';
import { isFromThisMachine } from '../http/from-this-machine.ts';
import type { Overloaded, QueryFailure } from '../queries/failure/query-failure.ts';
import { personalDataFor } from '../queries/masking/personal-data.ts';
import { positionParameter, whenIncluded } from '../queries/parameters/position-parameter.ts';
import { assetAt } from './assets.ts';
import type { ConsoleDependencies } from './console-dependencies.ts';
import type { ConsoleQuestion, ConsoleRoute } from './console-question.ts';
import { consoleReplies, newNonce } from './console-replies.ts';
import { goesOverTls, originOf, type ConsoleSettings } from './console-settings.ts';
import { filledTexts } from './filled-parameters.ts';
import { formFields, type FormFields } from './form-fields.ts';
import { handedPage, type HandedPage } from './handed-page.ts';
import { timesIn } from './local-time.ts';
import { dropAnswer, sent, type PageAnswer, type WrittenPage } from './page.ts';
import type { Html } from './html.ts';
import { isFromHere } from './same-origin.ts';
import { consoleCookies } from './session-cookie.ts';
import { formToken, isSameText, type Session } from './session.ts';
import { STALE_FORM } from './shown-failure.ts';
import { addSignInRoutes, askToSignIn } from './sign-in-routes.ts';
import { signedIn } from './signed-in.ts';
import { uploadedForm, type UploadedForm } from './upload/uploaded-form.ts';

/** Addresses without a page of their own, and the page that is meant by them. */
const SHORT_PATHS = [
  ['/console', '/'],
  ['/console/', '/'],
  ['/console/reports', '/console/reports/onramp'],
  // What is searched for is posted, and stands in no address: by this one there is but the field for it.
  ['/console/search', '/console/orders#search'],
  ['/console/reconciliation/search', '/console/reconciliation'],
] as const;

type Document = Extract<WrittenPage, { readonly _tag: 'Document' }>;

const NO_FIELDS: FormFields = new Map();

const NOTHING_SENT: UploadedForm = {
  fields: NO_FIELDS,
  file: null,
  isTooLarge: false,
  drop: () => Promise.resolve(),
};

/** What stands below a failure: the form of the page where a field of it is wrong, or where else to look for what is not there. */
const belowFailure = (
  { form, elsewhere }: ConsoleRoute,
  question: ConsoleQuestion,
  { _tag }: QueryFailure,
): Html | null => {
  if (_tag === 'InvalidParameter' || _tag === 'TooManyRows' || _tag === 'MomentTooFar')
    return form?.(new Map(E.getOrElseW(() => [])(filledTexts(question))), question) ?? null;
  return _tag === 'NotFound' ? (elsewhere?.(question) ?? null) : null;
};

/** The pages of the console behind their sign-in (docs/spec/http.md, Console). */
export const consoleRouter = (
  deps: Pick<
    ConsoleDependencies,
    | 'apiKeys'
    | 'calendar'
    | 'endedSessions'
    | 'handOverPage'
    | 'health'
    | 'stagedFiles'
    | 'limits'
    | 'now'
    | 'log'
    | 'store'
    | 'readModels'
    | 'streams'
  >,
  settings: ConsoleSettings,
  routes: readonly ConsoleRoute[],
): ApiRouter => {
  const router: ApiRouter = new Router({ sensitive: true, strict: true });
  const times = timesIn(deps.calendar.timeZone);
  const cookies = consoleCookies(goesOverTls(settings));
  const replies = consoleReplies(deps.log, times);
  const sessions = signedIn(deps, cookies);
  const signIn = { apiKeys: deps.apiKeys, settings, cookies, replies, sessions };

  /** A page that is shown anew must include what its reader was just told of. */
  const whenShown = (ctx: ApiContext): TE.TaskEither<QueryFailure, void> => {
    const position = ctx.get('X-Position');
    return pipe(
      positionParameter(deps.store, position === '' ? null : position),
      TE.chain((included) => whenIncluded(deps, included)),
    );
  };

  /**
   * What a form brings. Of a form from elsewhere no file is taken, nor of one without a place: its body is not read. Files that
   * come all at once would fill the disk, where deliveries are kept too.
   */
  const sentForm = (
    ctx: ApiContext,
    { mostFileBytes }: ConsoleRoute,
    session: Session,
  ): TE.TaskEither<Overloaded, UploadedForm> => {
    if (mostFileBytes === undefined)
      return TE.fromTask(async () => ({
        ...NOTHING_SENT,
        fields: E.getOrElse(() => NO_FIELDS)(await formFields(ctx)),
      }));
    const taken = TE.fromTask(() => uploadedForm(ctx, deps.stagedFiles.folder(), mostFileBytes));
    const placed = isFromHere(ctx, settings.publicUrl)
      ? inPlace(deps.streams, 'bank files', sessions.readerIn(session, ctx), taken)
      : TE.right(NOTHING_SENT);
    return async () => {
      const sent = await placed();
      if (E.isLeft(sent) || sent.right === NOTHING_SENT) ctx.set('Connection', 'close');
      return sent;
    };
  };

  /** A large page is made elsewhere, where it holds up no delivery; here where that can't be now. */
  const answerTo =
    (
      route: ConsoleRoute,
      question: ConsoleQuestion,
      beside: Pick<HandedPage, 'scriptNonce' | 'after'>,
    ): TE.TaskEither<QueryFailure, PageAnswer | Document> =>
    async () => {
      const isLarge =
        typeof route.isLarge === 'function' ? await route.isLarge(question)() : E.right(route.isLarge === true);
      if (E.isLeft(isLarge)) return isLarge;
      const handOver = async (handOverPage: NonNullable<ConsoleDependencies['handOverPage']>) => {
        const health = route.saysHealth === true ? await deps.health() : null;
        return handOverPage(handedPage(route, question, { ...beside, health }));
      };
      const made = isLarge.right && deps.handOverPage !== undefined ? await handOver(deps.handOverPage) : null;
      if (made === null) return route.answer(question)();
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
    if (route.method === 'post' && !isOwn && !isTooLarge) return replies.sendFailure(ctx, STALE_FORM, session);
    const after = deps.readModels.progress().checkpoint?.position ?? '';
    const scriptNonce = newNonce();
    const reader = sessions.readerIn(session, ctx);
    const question = {
      session,
      reader,
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
      isFromThisMachine: isFromThisMachine(ctx, settings.isLoopback),
    } as const;
    const counted = pipe(
      deps.limits.count(session.key.id),
      TE.chainW(() => whenShown(ctx)),
      TE.chainW(() => answerTo(route, question, { scriptNonce, after })),
    );
    const answer = await deps.limits.admit(reader, counted, dropAnswer)();
    if (E.isLeft(answer)) {
      if (answer.left._tag === 'AccessEnded') return askToSignIn(signIn, ctx);
      return replies.sendFailure(ctx, answer.left, session, {
        below: belowFailure(route, question, answer.left),
        searched: question.form.get('q') ?? '',
      });
    }
    switch (answer.right._tag) {
      case 'SeeOther':
        return replies.lead(ctx, answer.right.location);
      case 'SendOn':
        return replies.sendOn(ctx, answer.right.location);
      case 'Document':
        return replies.sendDocument(ctx, answer.right, scriptNonce);
      case 'Sent':
        return replies.sendFile(ctx, answer.right);
      case 'Page':
        return replies.send(ctx, answer.right.page, session, after);
    }
  };

  const answered =
    (route: ConsoleRoute) =>
    async (ctx: ApiContext): Promise<void> => {
      const session = sessions.sessionOf(ctx);
      if (session === null) return askToSignIn(signIn, ctx);
      const missing = route.scopes.find((scope) => !session.key.scopes.has(scope));
      if (missing !== undefined)
        return replies.sendFailure(ctx, { _tag: 'Forbidden', scope: missing, parameter: null }, session);
      const form = route.method === 'post' ? await sentForm(ctx, route, session)() : E.right(NOTHING_SENT);
      if (E.isLeft(form)) return replies.sendFailure(ctx, form.left, session);
      try {
        await answerSent(ctx, route, session, form.right);
      } finally {
        await form.right.drop();
      }
    };

  for (const route of routes) router[route.method](routerPath(route.path), answered(route));

  // Addresses that people shorten by hand.
  for (const [typed, meant] of SHORT_PATHS) router.get(typed, (ctx) => replies.lead(ctx, meant));

  addSignInRoutes(router, signIn);

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
