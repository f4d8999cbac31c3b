import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { StreamedBody } from '../http/send-stream.ts';
import type { ExportManifest } from '../queries/exports/export-manifest.ts';
import type { AskedExport } from '../queries/exports/export-questions.ts';
import type { ExportFormat } from '../queries/exports/export-request.ts';
import type { OpenExport } from '../queries/exports/exporter.ts';
import { openedExport } from '../queries/exports/open-export.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import type { QueryDependencies } from '../queries/query-dependencies.ts';
import { attachedAs } from './attached.ts';
import { CSV, NDJSON, XLSX } from './media-types.ts';
import type { Reply } from './reply.ts';

/** The media types of the files. */
export const EXPORT_TYPES = { csv: CSV, ndjson: NDJSON, xlsx: XLSX } as const satisfies Record<ExportFormat, unknown>;

/** A download may pause, but as long as it lasts the database can't give back what was replaced. */
const STALL_MS = 60_000;

const streamed = (open: OpenExport, onMade: (manifest: ExportManifest) => void): StreamedBody<QueryFailure> => ({
  pieces: () => open.pieces,
  close: async () => {
    const manifest = open.manifest();
    if (manifest !== null) onMade(manifest);
    await open.close();
  },
  stallMs: STALL_MS,
});

/** The file, made while it is read. `onMade`: told of its manifest when all of it was given. */
export const exportReply = (
  deps: Pick<QueryDependencies, 'store' | 'readModels' | 'exporter'>,
  asked: AskedExport,
  onMade: (manifest: ExportManifest) => void,
): TE.TaskEither<QueryFailure, Reply<never>> =>
  pipe(
    openedExport(deps, asked),
    TE.map((open) => ({
      type: EXPORT_TYPES[asked.request.format].sent,
      headers: {
        ...attachedAs(`${asked.request.kind}.${asked.request.format}`),
        ...(open.position === null ? {} : { 'X-Position': open.position }),
      },
      stream: streamed(open, onMade),
    })),
  );
