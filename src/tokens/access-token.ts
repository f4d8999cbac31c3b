import { inspect } from 'node:util';
import type { Claims } from './claims.ts';
import type { Timing } from './timing.ts';

/** A text that is not shown by accident: neither JSON, nor a log, nor `inspect` has it; only `reveal` does. */
export class SecretText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}

/** A token that the provider issued, with what is known of it. */
export type AccessToken = {
  readonly text: SecretText;
  readonly claims: Claims;
  /** Whether its signature was proved by a key set; false where none is configured. */
  readonly signatureChecked: boolean;
  readonly by: 'login' | 'refresh';
  /** When it came, by both clocks. */
  readonly received: { readonly now: number; readonly elapsed: number };
};

/** docs/spec/provider.md, Limits: how long a token is used that does not say when it expires. */
const LIFETIME_MS = 900_000;

/**
 * Milliseconds until a token expires, negative afterwards: by its `exp`, else by its age, for which of the two clocks the
 * one counts that says more, since the wall clock may have been set back, and the other may stand still in a machine's sleep.
 */
export const msLeft = ({ claims, received }: AccessToken, { now, elapsed }: Pick<Timing, 'now' | 'elapsed'>): number =>
  claims.exp === undefined
    ? LIFETIME_MS - Math.max(now() - received.now, elapsed() - received.elapsed)
    : claims.exp * 1_000 - now();
