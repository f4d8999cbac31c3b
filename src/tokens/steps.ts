import type { TokenUnusable } from './claims.ts';
import type { ExchangeError } from './exchange.ts';
import type { KeysUnavailable } from './key-set.ts';

export type StepFailure =
  | ExchangeError
  | TokenUnusable
  | KeysUnavailable
  /** An answer that says no: its status. */
  | { readonly _tag: 'Answered'; readonly status: number }
  /** A login or refresh whose answer has no `accessToken` where one is expected. */
  | { readonly _tag: 'NoTokenInAnswer' };

/** What happened in one step of a call; null: it succeeded. */
export type Step = { readonly step: 'login' | 'refresh' | 'call'; readonly failure: StepFailure | null };

/** What happened, in order. */
export type Steps = readonly Step[];
