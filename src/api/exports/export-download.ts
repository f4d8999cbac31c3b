import { either as E, taskEither as TE } from 'fp-ts';
import { pipe } from 'fp-ts/lib/function.js';
import { wait } from '../../concurrency/wait.ts';
import type { Position } from '../../domain/ids.ts';
import { comparePositions } from '../../domain/position.ts';
import type { QueryFailure } from '../../queries/failure/query-failure.ts';
import type { StreamedBody } from '../../http/send-stream.ts';
import type { ApiDependencies } from '../api-dependencies.ts';
import { attachedAs } from '../attached.ts';
import type { ParameterTable, ParameterTexts, Query } from '../parameters.ts';
import { positionParameter, whenIncluded } from '../position-parameter.ts';
import type { Reply } from '../reply.ts';
import type { ReadModelsBehind } from '../../read-models/read-models.ts';
import type { PersonalData } from '../resources/order-resource.ts';
import type { ExportManifest } from './export-manifest.ts';
import type { ExportQuestion } from './export-questions.ts';
import type { ExportFormat, ExportRequest } from './export-request.ts';
import type { OpenExport } from './exporter.ts';
import { XLSX_TYPE } from './xlsx-cell.ts';

/** The media types of the files. */
export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
  xlsx: XLSX_TYPE,
};

/** A download may pause, but as long as it lasts the database can't give back what was replaced. */
const STALL_MS = 60_000;

/** After a swap a new generation may be a moment behind what the old one was known to include. */
const LOOK_AGAIN_MS = 50;
const LOOKS = 100;

const NOT_YET: ReadModelsBehind = {
  _tag: 'ReadModelsBehind',
  detail: 'a new generation serves, and is not as far yet',
};

/** An export that somebody asked for, and the position that it must include; null: whatever is there. */
export type AskedExport = { readonly request: ExportRequest; readonly position: Position | null };

/** What a query asks for, as an export. */
export const askedIn = <T extends ParameterTable>(
  { store, calendar, now }: Pick<ApiDependencies, 'store' | 'calendar' | 'now'>,
  { askedBy }: ExportQuestion<T>,
  {
    query,
    texts,
    personal,
  }: { readonly query: Query<T>; readonly texts: ParameterTexts; readonly personal: PersonalData },
): TE.TaskEither<QueryFailure, AskedExport> => {
  const { request, position } = askedBy(query, { texts, personal, calendar, now: now() });
  return pipe(
    positionParameter(store, position),
    TE.map((included) => ({ request, position: included })),
  );
};

const isBefore = (position: Position | null, asked: Position): boolean => comparePositions(position, asked) < 0;

type Deps = Pick<ApiDependencies, 'store' | 'readModels' | 'exporter'>;

const opened =
  ({ exporter }: Deps, { request, position }: AskedExport): TE.TaskEither<QueryFailure, OpenExport> =>
  async () => {
    for (let look = 0; look < LOOKS; look += 1) {
      const open = await exporter(request)();
      if (E.isLeft(open) || position === null || !isBefore(open.right.position, position)) return open;
      await open.right.close();
      await wait(LOOK_AGAIN_MS);
    }
    return E.left(NOT_YET);
  };

/** An export that includes its position. */
export const openedExport = (deps: Deps, asked: AskedExport): TE.TaskEither<QueryFailure, OpenExport> =>
  pipe(
    whenIncluded(deps, asked.position),
    TE.chain(() => opened(deps, asked)),
  );

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
export const exportDownload = (
  deps: Deps,
  asked: AskedExport,
  onMade: (manifest: ExportManifest) => void,
): TE.TaskEither<QueryFailure, Reply<never>> =>
  pipe(
    openedExport(deps, asked),
    TE.map((open) => ({
      type: EXPORT_TYPES[asked.request.format],
      headers: {
        ...attachedAs(`${asked.request.kind}.${asked.request.format}`),
        ...(open.position === null ? {} : { 'X-Position': open.position }),
      },
      stream: streamed(open, onMade),
    })),
  );
