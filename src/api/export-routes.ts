import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { parseInstant } from '../domain/instant.ts';
import type { DocumentedRoute } from '../http/documented-router.ts';
import type { ProblemCode } from '../openapi/problem-codes.ts';
import { ExportManifestResource } from '../queries/exports/export-manifest.ts';
import {
  AUDIT_EXPORT,
  EVENTS_EXPORT,
  ORDERS_EXPORT,
  RECONCILIATION_EXPORT,
  parseExport,
  type ExportQuestion,
} from '../queries/exports/export-questions.ts';
import { EXPORT_FORMATS, type ExportKind } from '../queries/exports/export-request.ts';
import type { OpenExport } from '../queries/exports/exporter.ts';
import { ASKER_GONE } from '../queries/failure/asker-gone.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import type { WrittenManifest } from '../queries/exports/written-manifest.ts';
import { parameter, type ParameterTable } from '../queries/parameters/parameters.ts';
import { ATTACHED } from '../replies/attached.ts';
import { EXPORT_TYPES, exportReply, placedExport } from '../replies/export-reply.ts';
import type { Answer } from './answer.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { GivenFiles, type Wanted } from './given-files.ts';
import type { FormDoc } from './described-route.ts';
import type { Question } from './question.ts';
import { route } from './route.ts';

/** The header of a file with the moment that its clock stood at. */
const ASKED_AT = 'X-Asked-At';

const MANIFEST_PARAMETERS = {
  askedAt: parameter(`The \`${ASKED_AT}\` of the file; without it, of the one that this key was given last.`, {
    expected: 'a time as 2026-01-31T10:00:00Z',
    schema: { type: 'string', format: 'date-time' },
    read: parseInstant,
  }),
} as const;

const download = <T extends ParameterTable>(
  deps: ApiDependencies,
  given: GivenFiles,
  of: ExportQuestion<T>,
  question: Question<string, T>,
): Answer<never> =>
  pipe(
    parseExport(deps, of, question),
    TE.chain((asked) => exportReply(deps, asked, question.reader, (made) => given.put(question.keyId, made))),
  );

type Asker = Pick<Question<string, ParameterTable>, 'isGone' | 'reader' | 'keyId'>;

/** Makes the file and keeps nothing of it but its figures. */
const figuresOf =
  (
    open: OpenExport,
    given: GivenFiles,
    { isGone, keyId }: Pick<Asker, 'isGone' | 'keyId'>,
  ): TE.TaskEither<QueryFailure, WrittenManifest> =>
  async () => {
    try {
      for await (const piece of open.pieces) {
        if (E.isLeft(piece)) return piece;
        if (isGone()) break;
      }
      const manifest = open.manifest();
      if (manifest === null) return ASKER_GONE;
      given.put(keyId, manifest);
      return E.right(manifest);
    } finally {
      await open.close();
    }
  };

const madeAnew = (
  deps: ApiDependencies,
  given: GivenFiles,
  wanted: Wanted,
  asker: Asker,
): TE.TaskEither<QueryFailure, WrittenManifest> =>
  pipe(
    placedExport(deps, wanted, asker.reader),
    TE.chain(({ open }) => {
      const known = given.of(asker.keyId, wanted, open.position);
      if (known === null) return figuresOf(open, given, asker);
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
): Answer<ExportManifestResource> => {
  // It was read already; the type of a table that is made of two says no more of either.
  const askedAt = parseInstant(new Map(question.texts).get('askedAt') ?? '');
  return pipe(
    parseExport({ ...deps, now: () => askedAt ?? deps.now() }, of, question),
    TE.map((asked): Wanted => ({ ...asked, askedAt })),
    TE.chain((wanted) => {
      const known = wanted.included === null ? null : given.of(question.keyId, wanted, wanted.included);
      return known === null ? madeAnew(deps, given, wanted, question) : TE.right(known);
    }),
    TE.map(({ bytes }) => ({
      type: 'application/json',
      body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
    })),
  );
};

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
          [ASKED_AT]: {
            description: 'What the clock decides of an order it decides as of then: the `askedAt` of its manifest.',
            schema: { type: 'string', format: 'date-time' },
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
      parameters: { ...of.parameters, ...MANIFEST_PARAMETERS },
      summary: `${summary}: what the file must come to`,
      description: `Ask with the parameters of the file, with its \`X-Position\` as \`position\` and its \`${ASKED_AT}\` as \`askedAt\`.`,
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
    ...routesOf(deps, given, RECONCILIATION_EXPORT, {
      id: 'exportReconciliation',
      summary: 'Items of the match as a file',
      list: 'listReconciliationItems',
      scopes: ['reports:read'],
      ofRows: [],
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
