import type { Router } from '@koa/router';
import type Koa from 'koa';
import type { RequestId } from '../domain/ids.ts';
import type { TraceContext } from './trace-context.ts';

/** What middlewares know of a request. */
export type ApiState = {
  /** Set by the first middleware of the interface, `requestId`. */
  requestId: RequestId;
  /** The trace that the caller follows it in; absent where none was sent. */
  trace?: TraceContext;
  /** Id of the API key that the caller showed, for the access log; absent until it is found valid. */
  apiKeyId?: string;
  /** What became of a delivery, or `cut-off` of an answer that was not given whole, for the access log. */
  outcome?: string;
  /** Whether its signature was found right. */
  proved?: boolean;
  /** The problem that it is answered with, for who shows it in another form; absent for any other answer. */
  problem?: { readonly status: number; readonly code: string; readonly title: string; readonly detail: string };
};

export type ApiContext = Koa.ParameterizedContext<ApiState, Koa.DefaultContextExtends>;

export type ApiMiddleware = Koa.Middleware<ApiState, Koa.DefaultContextExtends>;

export type ApiRouter = Router<ApiState, Koa.DefaultContextExtends>;
