import * as t from 'io-ts';
import { MatchSettingsData, type MatchSettings } from '../domain/match-settings.ts';
import type { Position } from '../domain/ids.ts';
import type { KeeperNews } from '../proofs/keeper-news.ts';
import type { Checkpoint } from '../read-models/read-models.ts';
import type { LedgerName } from '../read-models/sqlite/ledger-names.ts';
import { LedgerLocationData, type LedgerLocation } from './ledger-location.ts';
import type { PoolState } from './task-pool.ts';
import { none, protocol, tagged } from './thread-message.ts';

/** What the threads of a build are called, to operators as one. */
export const BUILD_THREAD = 'build';

export type ProjectorOptions = {
  readonly location: LedgerLocation;
  readonly readModelFile: string;
  readonly timeZone: string;
  /** What the match is configured with; the usual where nothing is said. */
  readonly matchSettings?: MatchSettings;
  /** How this ledger is known: what was held to its log last is believed while the log can't be asked. */
  readonly name?: LedgerName;
  /** What checkpoints are signed with, the key as PEM. Without it no tree of the log is kept. */
  readonly log?: {
    readonly origin: string;
    readonly signingKey: string;
    /** The key before it, which signs beside it. */
    readonly retiredKey: string | null;
    /** Whether the configuration gives both name and key. */
    readonly isConfigured?: boolean;
    /** Who is asked to cosign: the line of its key, and where it is. */
    readonly witnesses: readonly { readonly line: string; readonly url: string }[];
  };
};

const Options: { readonly is: t.Is<ProjectorOptions> } = t.intersection([
  t.type({ location: LedgerLocationData, readModelFile: t.string, timeZone: t.string }),
  t.partial({
    log: t.intersection([
      t.type({
        origin: t.string,
        signingKey: t.string,
        retiredKey: t.union([t.string, t.null]),
        witnesses: t.readonlyArray(t.type({ line: t.string, url: t.string })),
      }),
      t.partial({ isConfigured: t.boolean }),
    ]),
    matchSettings: MatchSettingsData,
    name: t.type({ ledger: t.string, log: t.string }),
  }),
]);

export const isProjectorOptions = (u: unknown): u is ProjectorOptions => Options.is(u);

export type ProjectorNote =
  /** Something was appended. */
  | { readonly _tag: 'Appended' }
  /** Somebody waits until a position is included. */
  | { readonly _tag: 'Awaited'; readonly position: Position }
  /** Somebody found that the files of the tree do not lead to what was signed. */
  | { readonly _tag: 'TreeSuspected' };

export type ProjectorNews =
  /** A generation of this log serves from now on, as far as this; it includes at least all that the one before it did. */
  | {
      readonly _tag: 'Serving';
      readonly generation: number;
      readonly stamp: number;
      readonly checkpoint: Checkpoint | null;
    }
  /**
   * What lies there answers, as far as it is, until what is to serve does. `isOfLog`: it was held to the log, and is built
   * anew with other settings; else the log can't be asked, and it is believed until then.
   */
  | {
      readonly _tag: 'Standing';
      readonly stamp: number;
      readonly checkpoint: Checkpoint | null;
      readonly isOfLog: boolean;
    }
  /** What served was made from another log: it serves no longer, and is built anew. */
  | { readonly _tag: 'OfAnotherLog'; readonly generation: number; readonly checkpoint: Checkpoint | null }
  /** The files of what served are no longer those that it was opened from, or damaged: it serves no longer, and is built anew. */
  | { readonly _tag: 'Removed'; readonly generation: number; readonly detail: string }
  | { readonly _tag: 'Applied'; readonly checkpoint: Checkpoint }
  | { readonly _tag: 'Building'; readonly share: number; readonly events: number }
  | { readonly _tag: 'Built'; readonly events: number; readonly orders: number }
  /** One of the threads that build hangs, or none does any more, though this one's loop turns. */
  | { readonly _tag: 'BuildThreads'; readonly state: PoolState }
  /** The data directory may be another ledger's by now: nothing is built or signed there any more. */
  | { readonly _tag: 'FolderLost'; readonly detail: string }
  /** Something failed; it is tried again. `isOutage`: the event store could not be asked. */
  | { readonly _tag: 'Failed'; readonly detail: string; readonly isOutage: boolean }
  | KeeperNews
  | {
      readonly _tag: 'Unreadable';
      readonly events: readonly { readonly stream: string; readonly revision: number; readonly problem: string }[];
    };

export const projectorProtocol = protocol<never, never, ProjectorNote, ProjectorNews>({
  question: none,
  answer: none,
  note: tagged<ProjectorNote>({ Appended: true, Awaited: true, TreeSuspected: true }),
  news: tagged<ProjectorNews>({
    Serving: true,
    Standing: true,
    OfAnotherLog: true,
    Removed: true,
    Applied: true,
    Building: true,
    Built: true,
    BuildThreads: true,
    FolderLost: true,
    Failed: true,
    Unreadable: true,
    LogSigned: true,
    LogLost: true,
    LogKeysGone: true,
    LogTreeMended: true,
    LogFailed: true,
    Witnessed: true,
  }),
});
