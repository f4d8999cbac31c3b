import * as t from 'io-ts';
import type { WrittenManifest } from '../queries/exports/written-manifest.ts';
import type { ExportRequest } from '../queries/exports/export-request.ts';
import type { Position } from '../domain/ids.ts';
import type { LivePersonalData } from '../queries/live/live-feed.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import { SharedFloorData, type SharedFloor } from './included-floor.ts';
import { LedgerLocationData, type LedgerLocation } from './ledger-location.ts';
import { none, protocol, tagged } from './thread-message.ts';

export type StreamOptions = {
  readonly location: LedgerLocation;
  readonly readModelFile: string;
  readonly floor: SharedFloor;
};

const Options: { readonly is: t.Is<StreamOptions> } = t.type({
  location: LedgerLocationData,
  readModelFile: t.string,
  floor: SharedFloorData,
});

export const isStreamOptions = (u: unknown): u is StreamOptions => Options.is(u);

/** What a stream is of. `secrets`: of events that are to be verified; keys in hex. */
export type StreamTask =
  | {
      readonly _tag: 'Export';
      readonly request: ExportRequest;
      readonly secrets: readonly { readonly id: string; readonly key: string }[];
    }
  | { readonly _tag: 'Live'; readonly after: Position | null; readonly personal: LivePersonalData };

/** A stream is opened under a number, asked for piece after piece, each after the one before it came, and ended. */
export type StreamQuestion =
  | { readonly _tag: 'Open'; readonly stream: number; readonly task: StreamTask }
  | { readonly _tag: 'Next'; readonly stream: number };

export type StreamNote =
  | { readonly _tag: 'End'; readonly stream: number }
  /** Something was appended. */
  | { readonly _tag: 'Appended' }
  /** Other read models serve, or will: the log may be another one too. */
  | { readonly _tag: 'Replaced' };

export type StreamAnswer =
  | { readonly _tag: 'Opened'; readonly position: Position | null }
  | { readonly _tag: 'Piece'; readonly piece: Uint8Array }
  | { readonly _tag: 'Ended'; readonly manifest: WrittenManifest | null }
  | { readonly _tag: 'Failed'; readonly failure: QueryFailure };

export const streamProtocol = protocol<StreamQuestion, StreamAnswer, StreamNote, never>({
  question: tagged<StreamQuestion>({ Open: true, Next: true }),
  answer: tagged<StreamAnswer>({ Opened: true, Piece: true, Ended: true, Failed: true }),
  note: tagged<StreamNote>({ End: true, Appended: true, Replaced: true }),
  news: none,
});
