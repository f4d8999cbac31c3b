import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { Position } from '../../domain/ids.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { ExportRequest } from './export-request.ts';
import type { Pieces } from './export-table.ts';
import type { WrittenManifest } from './written-manifest.ts';

/** An export of one position, to be read once. */
export type OpenExport = {
  /** The last event that it includes; null before the first. */
  readonly position: Position | null;
  /** All of the file. Nothing of it is made before it is asked for. */
  readonly pieces: Pieces;
  /** What the file came to; null before its end. */
  readonly manifest: () => WrittenManifest | null;
  /** Gives up what is left of it; to be called in any case. */
  readonly close: () => Promise<void>;
};

/** Opens exports. Each is of the read models as they were when it was opened. */
export type Exporter = (request: ExportRequest) => TE.TaskEither<QueryFailure, OpenExport>;
