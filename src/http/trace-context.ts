import type { IncomingMessage } from 'node:http';

/**
 * The trace that a caller follows a request in, under the names that OpenTelemetry gives them in logs. The ledger makes
 * no spans of its own, so the span is the caller's.
 */
export type TraceContext = { readonly trace_id: string; readonly span_id: string; readonly trace_flags: string };

const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const NO_VERSION = 'ff';
const FIRST_VERSION = '00';
const NO_ID = /^0+$/;

/**
 * Reads a `traceparent` header as W3C Trace Context has it: of version 00 exactly its four fields, of a later one these
 * and what that may add behind a dash. Null for everything else: the standard says to ignore it.
 */
export const parseTraceparent = (text: string): TraceContext | null => {
  const [, version, trace_id = '', span_id = '', trace_flags = '', more] = TRACEPARENT.exec(text) ?? [];
  if (version === undefined || version === NO_VERSION || (version === FIRST_VERSION && more !== undefined)) return null;
  return NO_ID.test(trace_id) || NO_ID.test(span_id) ? null : { trace_id, span_id, trace_flags };
};

/** The trace that the caller follows a request in; null where it sent none. */
export const traceOf = ({ headers: { traceparent } }: Pick<IncomingMessage, 'headers'>): TraceContext | null =>
  typeof traceparent === 'string' ? parseTraceparent(traceparent) : null;
