import type { RequestId } from '../domain/ids.ts';
import type { ApiState } from './api-context.ts';
import type { TraceContext } from './trace-context.ts';

/** What every line says that is logged of a request. */
export type LogFields = { readonly requestId: RequestId } & Partial<TraceContext>;

export const logFields = ({ requestId, trace }: ApiState): LogFields =>
  trace === undefined ? { requestId } : { requestId, ...trace };
