import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Position } from '../domain/ids.ts';
import { Recent } from '../domain/recent.ts';
import type { DocumentedRoute } from '../http/documented-router.ts';
import type { ProblemCode } from '../openapi/problem-codes.ts';
import { ExportManifestResource, manifestResource, type ExportManifest } from '../queries/exports/export-manifest.ts';
import {
  AUDIT_EXPORT,
  EVENTS_EXPORT,
  ORDERS_EXPORT,
  parseExport,
  type AskedExport,
  type ExportQuestion,
} from '../queries/exports/export-questions.ts';
import { EXPORT_FORMATS, requestKey, type ExportKind, type ExportRequest } from '../queries/exports/export-request.ts';
import type { OpenExport } from '../queries/exports/exporter.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import type { ParameterTable } from '../queries/parameters/parameters.ts';
import { ATTACHED } from '../replies/attached.ts';
import { EXPORT_TYPES, exportReply, placedExport } from '../replies/export-reply.ts';
import type { Answer } from './answer.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { route, type FormDoc, type Question } from './route.ts';

/** Manifests of what was downloaded lately, a KB each. */
const MANIFESTS = 1_000;

/**
 * Manifests of the files that were given, by what was asked for and by position. Whether an order is overdue changes with
 * time alone, so that the same export made again could be another file: who asks for the manifest of a file that was
 * given gets the manifest of that file.
 */
class GivenFiles {
  readonly #manifests = new Recent<string, ExportManifest>(MANIFESTS);

  of(request: ExportRequest, position: Position | null): ExportManifest | null {
    return this.#manifests.get(`${position ?? ''} ${requestKey(request)}`) ?? null;
  }

  put(manifest: ExportManifest): void {
    this.#manifests.put(`${manifest.position ?? ''} ${requestKey(manifest.request)}`, manifest);
  }
}

const download = <T extends ParameterTable>(
  deps: ApiDependencies,
  given: GivenFiles,
  of: ExportQuestion<T>,
  question: Question<string, T>,
): Answer<never> =>
  pipe(
    parseExport(deps, of, question),
    TE.chain((asked) => exportReply(deps, asked, question.reader, (made) => given.put(made))),
  );

/** Makes the file and keeps nothing of it but its figures. */
const figuresOf =
  (open: OpenExport, given: GivenFiles, isGone: () => boolean): TE.TaskEither<QueryFailure, ExportManifest> =>
  async () => {
    try {
      for await (const piece of open.pieces) {
        if (E.isLeft(piece)) return piece;
        if (isGone()) break;
      }
      const manifest = open.manifest();
      if (manifest === null) return E.left({ _tag: 'AskerGone' });
      given.put(manifest);
      return E.right(manifest);
    } finally {
      await open.close();
    }
  };

const madeAnew = (
  deps: ApiDependencies,
  given: GivenFiles,
  asked: AskedExport,
  { isGone, reader }: Pick<Question<string, ParameterTable>, 'isGone' | 'reader'>,
): TE.TaskEither<QueryFailure, ExportManifest> =>
  pipe(
    placedExport(deps, asked, reader),
    TE.chain(({ open }) => {
      const known = given.of(asked.request, open.position);
      if (known === null) return figuresOf(open, given, isGone);
      return async () => {
        await open.close();
        return E.right(known);
      };
    }),
  );

const manifest = <T extends ParameterTable>(
  deps: ApiDependencies,
  given: GivenFiles,
  of: ExportQuestion<T>,
  question: Question<string, T>,
): Answer<ExportManifestResource> =>
  pipe(
    parseExport(deps, of, question),
    TE.chain((asked) => {
      const known = asked.included === null ? null : given.of(asked.request, asked.included);
      return known === null ? madeAnew(deps, given, asked, question) : TE.right(known);
    }),
    TE.map((found) => ({ body: manifestResource(found) })),
  );

/** What the document says of an export and of its manifest. */
type About = {
  readonly id: string;
  readonly summary: string;
  /** The operation whose rows are the same. */
  readonly list: string;
  readonly scopes: readonly string[];
  /** What may become of reading all of its rows. */
  readonly ofRows: readonly ProblemCode[];
};

const contentsOf = (kind: ExportKind): readonly FormDoc[] =>
  EXPORT_FORMATS[kind].map((format) => ({
    type: EXPORT_TYPES[format].type,
    schema: format === 'xlsx' ? {} : { type: 'string' },
  }));

const routesOf = <T extends ParameterTable>(
  deps: ApiDependencies,
  given: GivenFiles,
  of: ExportQuestion<T>,
  { id, summary, list, scopes, ofRows }: About,
): readonly DocumentedRoute[] => {
  const path = `/v1/exports/${of.kind}`;
  const common = { method: 'get', tag: 'Exports', scopes, parameters: of.parameters } as const;
  return [
    route(deps, {
      ...common,
      id,
      path,
      summary,
      description:
        'All rows of one position. What fails on the way cuts the connection, so that nobody takes half of a file for all of it.',
      answers: {
        description: `The file, made while it is read; a line of NDJSON is a row of \`${list}\`.`,
        resource: null,
        others: contentsOf(of.kind),
        headers: {
          'Content-Disposition': ATTACHED,
          'X-Position': {
            description: 'The last event that is included; absent before the first.',
            schema: { type: 'string' },
            required: false,
          },
        },
      },
      problems: ['behind', 'store-unavailable'],
      answer: (question) => download(deps, given, of, question),
    }),
    route(deps, {
      ...common,
      id: `${id}Manifest`,
      path: `${path}/manifest`,
      summary: `${summary}: what the file must come to`,
      description: 'Ask with the parameters of the file and with its `X-Position` as `position`.',
      answers: { description: 'The manifest.', resource: ExportManifestResource },
      problems: ['behind', 'store-unavailable', ...ofRows],
      answer: (question) => manifest(deps, given, of, question),
    }),
  ];
};

/** Exports and their manifests (docs/spec/http.md, Exports). */
export const exportRoutes = (deps: ApiDependencies): readonly DocumentedRoute[] => {
  const given = new GivenFiles();
  return [
    ...routesOf(deps, given, ORDERS_EXPORT, {
      id: 'exportOrders',
      summary: 'Orders as a file',
      list: 'listOrders',
      scopes: ['audit:read', 'orders:read'],
      ofRows: [],
    }),
    ...routesOf(deps, given, EVENTS_EXPORT, {
      id: 'exportEvents',
      summary: 'Events of orders as a file',
      list: 'listOrderEvents',
      scopes: ['audit:read', 'orders:read'],
      ofRows: ['unreadable-event'],
    }),
    ...routesOf(deps, given, AUDIT_EXPORT, {
      id: 'exportAudit',
      summary: 'The audit trail as a file',
      list: 'listAuditEntries',
      scopes: ['audit:read'],
      ofRows: [],
    }),
  ];
};
