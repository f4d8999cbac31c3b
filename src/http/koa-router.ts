import { createRequire } from 'node:module';
import type * as KoaRouter from '@koa/router';

const isKoaRouter = (u: unknown): u is typeof KoaRouter =>
  typeof u === 'function' && 'Router' in u && typeof u.Router === 'function';

const loaded: unknown = createRequire(import.meta.url)('@koa/router');
if (!isKoaRouter(loaded)) throw new TypeError('@koa/router exports no Router: run npm ci');

/**
 * Koa's router, as a module of Node's older kind: that of the newer kind imports `node:http` whole, and what comes with it
 * takes a twentieth of the processor time of a start (node-http.ts).
 */
export const { Router } = loaded;
