import * as t from 'io-ts';
import type { Checkpoint } from '../read-models/read-models.ts';
import { LedgerLocationData, type LedgerLocation } from './ledger-location.ts';

export type ProjectorOptions = {
  readonly location: LedgerLocation;
  readonly readModelFile: string;
  readonly timeZone: string;
};

const Options: { readonly is: t.Is<ProjectorOptions> } = t.type({
  location: LedgerLocationData,
  readModelFile: t.string,
  timeZone: t.string,
});

export const isProjectorOptions = (u: unknown): u is ProjectorOptions => Options.is(u);

export type ToProjector =
  /** Something was appended. */
  { readonly _tag: 'Appended' } | { readonly _tag: 'Close' };

export type FromProjector =
  /** A generation serves from now on, as far as this; it includes at least all that the one before it did. */
  | { readonly _tag: 'Serving'; readonly generation: number; readonly checkpoint: Checkpoint | null }
  | { readonly _tag: 'Applied'; readonly checkpoint: Checkpoint }
  | { readonly _tag: 'Building'; readonly share: number; readonly events: number }
  | { readonly _tag: 'Built'; readonly events: number; readonly orders: number }
  /** Something failed; it is tried again. */
  | { readonly _tag: 'Failed'; readonly detail: string }
  | {
      readonly _tag: 'Unreadable';
      readonly events: readonly { readonly stream: string; readonly revision: number; readonly problem: string }[];
    }
  | { readonly _tag: 'Closed' };
