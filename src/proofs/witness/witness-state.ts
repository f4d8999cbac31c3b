import type { Instant } from '../../domain/instant.ts';

/** How it stands with a witness. */
export type WitnessState = {
  readonly name: string;
  readonly state: 'waiting' | 'cosigned' | 'refused' | 'failed';
  /** Of the last checkpoint that it was asked for; null where it was not asked yet. */
  readonly size: number | null;
  /** When it cosigned, by its own clock, or when it refused or failed. */
  readonly at: Instant | null;
  /** Why it refused or failed. */
  readonly detail: string | null;
};
