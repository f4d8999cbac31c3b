import { taskEither as TE } from 'fp-ts';
import { pipe } from 'fp-ts/lib/function.js';
import type { RequestId } from '../domain/ids.ts';
import type { ApiMiddleware } from '../http/api-context.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import type { ApiKey } from './api-key.ts';
import { authorise } from './authorise.ts';
import { readParameters, type Parameters } from './parameters.ts';
import { sendAnswer, type Answer } from './reply.ts';
import type { PersonalData } from './resources/order-resource.ts';

/** A question from a caller who may ask it. */
export type Question = {
  readonly path: string;
  readonly parameters: Parameters;
  readonly personal: PersonalData;
  readonly requestId: RequestId;
  /** The media type of these that the caller likes best; the first where they don't say, null where they like none. */
  readonly prefers: (types: readonly string[]) => string | null;
};

/** A route of the query side (contract.md, Asking). */
export type Route = {
  readonly method: 'get' | 'post';
  /** As the router takes it: `/v1/orders/:orderId`. */
  readonly path: string;
  /** The caller needs each of them. */
  readonly scopes: readonly string[];
  /** Those that are known here. */
  readonly parameters: readonly string[];
  readonly answer: (question: Question) => Answer;
};

const personalDataFor = ({ scopes }: ApiKey): PersonalData => (scopes.has('pii:read') ? 'shown' : 'masked');

/** Asks in this order: who, how often, what, and then the route's own question, so that nobody learns more than they may. */
export const asked =
  ({ apiKeys, limits, log }: Pick<ApiDependencies, 'apiKeys' | 'limits' | 'log'>, route: Route): ApiMiddleware =>
  (ctx) => {
    const question = pipe(
      TE.fromEither(authorise(apiKeys(), ctx.get('Authorization'), route.scopes)),
      TE.tap((caller) => {
        ctx.state.apiKeyId = caller.id;
        return pipe(
          limits.count(caller.id),
          TE.map((headers) => ctx.set(headers)),
        );
      }),
      TE.bindTo('caller'),
      TE.bind('parameters', () => TE.fromEither(readParameters(ctx.querystring, route.parameters))),
      TE.map(({ caller, parameters }): Question => ({
        path: ctx.path,
        parameters,
        personal: personalDataFor(caller),
        requestId: ctx.state.requestId,
        prefers: (types) => {
          const best = ctx.accepts([...types]);
          return typeof best === 'string' ? best : null;
        },
      })),
    );
    return sendAnswer(ctx, log, limits.admit(pipe(question, TE.chain(route.answer))));
  };
