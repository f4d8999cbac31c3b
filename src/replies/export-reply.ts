import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Access } from '../access/access.ts';
import type { Reader } from '../access/reader.ts';
import type { StreamPlace } from '../access/stream-places.ts';
import type { StreamedBody } from '../http/send-stream.ts';
import type { WrittenManifest } from '../queries/exports/written-manifest.ts';
import type { AskedExport } from '../queries/exports/export-questions.ts';
import type { ExportFormat, ExportRequest } from '../queries/exports/export-request.ts';
import type { OpenExport } from '../queries/exports/exporter.ts';
import { openedExport } from '../queries/exports/open-export.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import type { QueryDependencies } from '../queries/query-dependencies.ts';
import { daysInName } from '../queries/words/days-in-name.ts';
import { attachedAs } from './attached.ts';
import { CSV, NDJSON, XLSX } from './media-types.ts';
import type { Reply } from './reply.ts';

/** The media types of the files. */
export const EXPORT_TYPES = { csv: CSV, ndjson: NDJSON, xlsx: XLSX } as const satisfies Record<ExportFormat, unknown>;

/** What may stand in the name of a file. */
const WORD = /^[a-z]{1,20}$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** A download may pause, but as long as it lasts the database can't give back what was replaced. */
const PACE = { patienceMs: 60_000, bytesPerSecond: 4_096 } as const;

/** What exports for somebody stand on. */
export type ExportDependencies = Pick<QueryDependencies, 'store' | 'readModels' | 'exporter' | 'now'> &
  Pick<Access, 'streams'>;

/** An export in a place that is its reader's. */
type PlacedExport = { readonly open: OpenExport; readonly place: StreamPlace };

/** Opens an export when there is a place for it; closing it gives the place back. */
export const placedExport =
  (deps: ExportDependencies, asked: AskedExport, reader: Reader): TE.TaskEither<QueryFailure, PlacedExport> =>
  async () => {
    const placed = await deps.streams.open('exports', reader)();
    if (E.isLeft(placed)) return placed;
    const place = placed.right;
    let opened: E.Either<QueryFailure, OpenExport> | null = null;
    try {
      opened = await openedExport(deps, asked)();
    } finally {
      // Whatever goes wrong, nobody holds the place then.
      if (opened === null || E.isLeft(opened)) place.close();
    }
    return E.map((open: OpenExport) => ({
      place,
      open: {
        ...open,
        close: () => {
          place.close();
          return open.close();
        },
      },
    }))(opened);
  };

const streamed = (
  { open, place }: PlacedExport,
  onMade: (manifest: WrittenManifest) => void,
): StreamedBody<QueryFailure> => ({
  pieces: () => open.pieces,
  close: async () => {
    const manifest = open.manifest();
    if (manifest !== null) onMade(manifest);
    await open.close();
  },
  pace: PACE,
  revoked: place.revoked,
  halves: 'bad',
});

const dayIn = (text: string | undefined): string | null => (text !== undefined && DAY.test(text) ? text : null);

/** A name that says what is in the file: its flow and its days, where it is of some. */
const fileName = ({ kind, filters }: ExportRequest): string => {
  const { flow, basis, from, to } = filters;
  const words = [flow, basis].filter((word) => word !== undefined && WORD.test(word));
  return [kind, ...words, ...daysInName({ from: dayIn(from), to: dayIn(to) })].join('-');
};

/** The file, made while it is read. `onMade`: told of its manifest when all of it was given. */
export const exportReply = (
  deps: ExportDependencies,
  asked: AskedExport,
  reader: Reader,
  onMade: (manifest: WrittenManifest) => void,
): TE.TaskEither<QueryFailure, Reply<never>> =>
  pipe(
    placedExport(deps, asked, reader),
    TE.map((placed) => ({
      type: EXPORT_TYPES[asked.request.format].sent,
      headers: {
        ...attachedAs(`${fileName(asked.request)}.${asked.request.format}`),
        'X-Asked-At': asked.request.now,
        ...(placed.open.position === null ? {} : { 'X-Position': placed.open.position }),
      },
      stream: streamed(placed, onMade),
    })),
  );
