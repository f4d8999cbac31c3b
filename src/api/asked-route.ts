import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ApiKey } from '../access/api-key.ts';
import { keyReader, type Reader } from '../access/reader.ts';
import { whileAllowed } from '../access/while-allowed.ts';
import { acceptedType, prefersGzip } from '../http/accept-headers.ts';
import type { ApiMiddleware } from '../http/api-context.ts';
import { bodyProved } from '../http/connections/proved-bodies.ts';
import { requestBody } from '../http/request-body.ts';
import { personalDataFor } from '../queries/masking/personal-data.ts';
import { readParameters, type ParameterTable } from '../queries/parameters/parameters.ts';
import { readPath } from '../queries/parameters/path-parameters.ts';
import { queryTexts } from '../replies/query-texts.ts';
import { dropReply, type Reply } from '../replies/reply.ts';
import { sendAnswer, type Answer } from './answer.ts';
import type { ApiFailure } from './api-failure.ts';
import { validKey, withScopes } from './authorise.ts';
import type { AnswerForm, Route, RouteDependencies } from './described-route.ts';
import type { HandedQuestion, HandOver, WrittenReply } from './handed-question.ts';
import type { Question } from './question.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import { writtenReply } from './written-reply.ts';

/** A body that came is let go of by itself. */
const NOTHING_TO_DROP = (): Promise<void> => Promise.resolve();

/** Reads the body of somebody whose key was looked at. */
const provedBody =
  (...[request, most, withinMs]: Parameters<typeof requestBody>): ReturnType<typeof requestBody> =>
  () => {
    bodyProved(request);
    return requestBody(request, most, withinMs)();
  };

/** The forms that a route answers in, JSON first. */
const mediaTypes = <A>({ resource, others = [] }: AnswerForm<A>): string[] => [
  ...(resource === null ? [] : ['application/json']),
  ...others.map(({ type }) => type),
];

/** Answers a question that was handed over. What only the request itself tells, its other headers and its body, is not there. */
export const answerHanded =
  <Path extends string, T extends ParameterTable, A>({ path, parameters, answers, answer }: Route<Path, T, A>) =>
  ({
    path: asked,
    texts,
    scopes,
    requestId,
    keyId,
    prefers,
  }: HandedQuestion): TE.TaskEither<ApiFailure, WrittenReply> =>
    pipe(
      TE.fromEither(readParameters(texts, parameters, (scope) => scopes.includes(scope))),
      TE.bindTo('query'),
      TE.bindW('inPath', () => TE.fromEither(readPath(path, asked))),
      TE.chainW(({ query, inPath }) =>
        answer({
          inPath,
          query,
          texts,
          personal: personalDataFor(new Set(scopes)),
          scopes: new Set(scopes),
          reader: { keyId, mayRead: () => true },
          requestId,
          keyId,
          body: TE.right(Buffer.alloc(0)),
          isGone: () => false,
          header: () => '',
          prefers: () => prefers,
          prefersGzip: () => false,
        }),
      ),
      TE.chainEitherKW((reply) => writtenReply(answers.resource, reply)),
    );

/** The answer to a question, of another thread where that is one for large ones; of this thread where there is none. */
const answerOf =
  <Path extends string, T extends ParameterTable, A>(
    handOver: HandOver | undefined,
    { id, large, answer }: Route<Path, T, A>,
    path: string,
    caller: ApiKey,
  ): ((question: Question<Path, T>) => Answer<A>) =>
  (question) => {
    if (handOver === undefined || large === undefined) return answer(question);
    const { texts, requestId, prefers } = question;
    const scopes = [...caller.scopes];
    const handed = { path, texts, scopes, requestId, keyId: caller.id, prefers: prefers() };
    return async () => {
      const made = await handOver(id, handed);
      if (made === null) return answer(question)();
      return E.map(({ headers, type, bytes }: WrittenReply): Reply<A> => ({
        headers,
        type,
        body: Buffer.from(bytes.buffer),
      }))(made);
    };
  };

/** Asks in this order: who, how often, what, and then the route's own question, so that nobody learns more than they may. */
export const askedRoute =
  <Path extends string, T extends ParameterTable, A>(
    { apiKeys, limits, log, handOver }: RouteDependencies,
    described: Route<Path, T, A>,
  ): ApiMiddleware =>
  (ctx) => {
    const { path, scopes, basic, parameters, body, answers } = described;
    const answerTo = (caller: ApiKey, reader: Reader) =>
      pipe(
        TE.fromEither(queryTexts(ctx.querystring)),
        TE.bindTo('texts'),
        TE.bindW('query', ({ texts }) =>
          TE.fromEither(readParameters(texts, parameters, (scope) => caller.scopes.has(scope))),
        ),
        TE.bindW('inPath', () => TE.fromEither(readPath(path, ctx.path))),
        TE.chainW(({ texts, query, inPath }) =>
          answerOf(
            handOver,
            described,
            ctx.path,
            caller,
          )({
            inPath,
            query,
            texts,
            personal: personalDataFor(caller.scopes),
            scopes: caller.scopes,
            reader,
            requestId: ctx.state.requestId,
            keyId: caller.id,
            body: whileAllowed(reader, provedBody(ctx.req, body?.mostBytes ?? 0, body?.withinMs), NOTHING_TO_DROP),
            isGone: () => ctx.req.socket.destroyed,
            header: (name) => ctx.get(name),
            prefers: () => acceptedType(ctx, mediaTypes(answers)),
            prefersGzip: () => prefersGzip(ctx),
          }),
        ),
      );
    const answer = pipe(
      TE.fromEither(validKey(apiKeys(), ctx.get('Authorization'), basic === true)),
      TE.chainFirstIOK((caller) => () => {
        // Before its scopes are looked at: the log is to name a key that asks for more than it may.
        ctx.state.apiKeyId = caller.id;
      }),
      TE.chainEitherKW((caller) => withScopes(caller, scopes)),
      TE.chainFirstW((caller) =>
        pipe(
          limits.count(caller.id),
          TE.map((allowance) => ctx.set(rateLimitHeaders(allowance))),
        ),
      ),
      TE.chainW((caller) => {
        const reader = keyReader(apiKeys, caller, () => ctx.req.socket.destroyed);
        return limits.admit(reader, answerTo(caller, reader), dropReply);
      }),
    );
    return sendAnswer(ctx, log, answers.resource, answer);
  };
