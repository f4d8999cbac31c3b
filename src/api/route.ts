import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ApiKey } from '../access/api-key.ts';
import { keyReader, type Reader } from '../access/reader.ts';
import type { RequestId } from '../domain/ids.ts';
import type { ApiMiddleware } from '../http/api-context.ts';
import type { DocumentedRoute } from '../http/documented-router.ts';
import type { BodyDoc, ContentDoc, HeaderDoc, Operation, ParameterDoc } from '../openapi/operation.ts';
import { type PersonalData, personalDataFor } from '../queries/masking/personal-data.ts';
import {
  readParameters,
  type ParameterTable,
  type ParameterTexts,
  type Query,
} from '../queries/parameters/parameters.ts';
import { readPath, type InPath } from '../queries/parameters/path-parameters.ts';
import type { Reply, Resource } from '../replies/reply.ts';
import { sendAnswer, type Answer } from './answer.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import type { ApiFailure } from './api-failure.ts';
import { authorise } from './authorise.ts';
import type { HandedQuestion, HandOver, WrittenReply } from './handed-question.ts';
import { parameterDocs, pathDocs } from './parameter-docs.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import { requestBody, type BodyUnread } from './request-body.ts';
import { writtenReply } from './written-reply.ts';

/** A question from a caller who may ask it. */
export type Question<Path extends string, T extends ParameterTable> = {
  readonly inPath: InPath<Path>;
  readonly query: Query<T>;
  /** The query as it came. */
  readonly texts: ParameterTexts;
  readonly personal: PersonalData;
  /** Who asks, for as long as their key is valid. */
  readonly reader: Reader;
  readonly requestId: RequestId;
  /** The id of the key that the caller showed. */
  readonly keyId: string;
  /** The bytes of the body, where the route takes one; read when they are asked for, once. */
  readonly body: TE.TaskEither<BodyUnread, Buffer>;
  /** Whether nobody waits for the answer any more. */
  readonly isGone: () => boolean;
  /** A header of the request; empty where it was not sent. */
  readonly header: (name: string) => string;
  /** The media type of these that the caller likes best; the first where they don't say, null where they like none. */
  readonly prefers: (types: readonly string[]) => string | null;
  /** Whether the caller likes an answer better that is packed with gzip. */
  readonly prefersGzip: () => boolean;
};

/** A form of an answer that no codec knows. */
export type FormDoc = Exclude<ContentDoc, { readonly codec: unknown }>;

/** What a route answers with, by its codec; other forms beside it are described by a schema. */
export type AnswerForm<A> = {
  readonly description: string;
  /** Null: it is never JSON. */
  readonly resource: Resource<A> | null;
  readonly others?: readonly FormDoc[];
  readonly headers?: Readonly<Record<string, HeaderDoc>>;
};

/** A route of the query side (docs/spec/http.md): what is asked and answered, for the caller and for the document. */
export type Route<Path extends string, T extends ParameterTable, A> = Pick<
  Operation,
  'id' | 'method' | 'tag' | 'summary' | 'description' | 'scopes' | 'problems'
> & {
  readonly path: Path;
  /** Whether the key may come as the password of HTTP Basic, for clients that know no bearer. */
  readonly basic?: true;
  readonly parameters: T;
  /** Those of the request that it reads. */
  readonly headers?: readonly ParameterDoc[];
  /** What it takes as a body, how many bytes of it, and within which time; ten seconds where nothing is said. */
  readonly body?: BodyDoc & { readonly mostBytes: number; readonly withinMs?: number };
  readonly answers: AnswerForm<A>;
  /** Whether its answers may be large, all or those to some questions, and are made in another thread where there is one: see `HandOver`. */
  readonly large?: true | ((question: Question<Path, T>) => boolean);
  readonly answer: (question: Question<Path, T>) => Answer<NoInfer<A>>;
};

/** What every route stands on. */
export type RouteDependencies = Pick<ApiDependencies, 'apiKeys' | 'limits' | 'log' | 'handOver'>;

/** A route that another thread may answer too. */
export type ApiRoute = DocumentedRoute & {
  readonly answerHanded: (question: HandedQuestion) => TE.TaskEither<ApiFailure, WrittenReply>;
};

/** Answers a question that was handed over. What only the request itself tells, its headers and its body, is not there. */
const answerHanded =
  <Path extends string, T extends ParameterTable, A>({ path, parameters, answers, answer }: Route<Path, T, A>) =>
  ({ path: asked, texts, scopes, requestId, keyId }: HandedQuestion): TE.TaskEither<ApiFailure, WrittenReply> =>
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
          reader: { keyId, mayRead: () => true },
          requestId,
          keyId,
          body: TE.right(Buffer.alloc(0)),
          isGone: () => false,
          header: () => '',
          prefers: ([first]) => first ?? null,
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
    const isLarge = typeof large === 'function' ? large(question) : large === true;
    if (handOver === undefined || !isLarge) return answer(question);
    const { texts, requestId } = question;
    const handed = { path, texts, scopes: [...caller.scopes], requestId, keyId: caller.id };
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
const asked =
  <Path extends string, T extends ParameterTable, A>(
    { apiKeys, limits, log, handOver }: RouteDependencies,
    described: Route<Path, T, A>,
  ): ApiMiddleware =>
  (ctx) => {
    const { path, scopes, basic, parameters, body, answers } = described;
    const answerTo = (caller: ApiKey) =>
      pipe(
        TE.Do,
        TE.let('texts', (): ParameterTexts => [...new URLSearchParams(ctx.querystring)]),
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
            reader: keyReader(apiKeys, caller),
            requestId: ctx.state.requestId,
            keyId: caller.id,
            body: requestBody(ctx.req, body?.mostBytes ?? 0, body?.withinMs),
            isGone: () => ctx.req.socket.destroyed,
            header: (name) => ctx.get(name),
            prefers: (types) => {
              const best = ctx.accepts([...types]);
              return typeof best === 'string' ? best : null;
            },
            prefersGzip: () => ctx.acceptsEncodings('gzip', 'identity') === 'gzip',
          }),
        ),
      );
    const answer = pipe(
      TE.fromEither(authorise(apiKeys(), ctx.get('Authorization'), scopes, basic === true)),
      TE.chainFirstW((caller) => {
        ctx.state.apiKeyId = caller.id;
        return pipe(
          limits.count(caller.id),
          TE.map((allowance) => ctx.set(rateLimitHeaders(allowance))),
        );
      }),
      TE.chainW((caller) => limits.admit(caller.id, answerTo(caller))),
    );
    return sendAnswer(ctx, log, answers.resource, answer);
  };

/** What may become of every question, before the route is asked. */
const OF_EVERY_QUESTION = [
  'invalid-parameter',
  'unauthorized',
  'forbidden',
  'rate-limited',
  'internal-error',
  'overloaded',
] as const;

/** What else may become of one with a body; one that ends in the middle is answered to nobody. */
const OF_A_BODY = ['body-too-large', 'body-timeout'] as const;

const json = <A>(resource: Resource<A> | null): readonly ContentDoc[] =>
  resource === null ? [] : [{ type: 'application/json', codec: resource }];

/** A route and its documentation, of one description. */
export const route = <Path extends string, T extends ParameterTable, A>(
  deps: RouteDependencies,
  described: Route<Path, T, A>,
): ApiRoute => {
  const {
    id,
    method,
    path,
    tag,
    summary,
    description,
    scopes,
    parameters,
    headers: read = [],
    body,
    answers,
    problems,
  } = described;
  const { resource, others = [], headers = {} } = answers;
  return {
    operation: {
      id,
      method,
      path,
      tag,
      summary,
      ...(description === undefined ? {} : { description }),
      scopes,
      parameters: [...pathDocs(path), ...parameterDocs(parameters), ...read],
      ...(body === undefined ? {} : { body }),
      answers: [{ status: 200, description: answers.description, headers, contents: [...json(resource), ...others] }],
      problems: [...OF_EVERY_QUESTION, ...(body === undefined ? [] : OF_A_BODY), ...problems],
    },
    handle: asked(deps, described),
    answerHanded: answerHanded(described),
  };
};
