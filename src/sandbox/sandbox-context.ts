import type { Router } from '@koa/router';
import type Koa from 'koa';

export type SandboxContext = Koa.ParameterizedContext;
export type SandboxMiddleware = Koa.Middleware;
export type SandboxRouter = Router;
