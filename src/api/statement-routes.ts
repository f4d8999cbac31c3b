import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import { inPlace } from '../access/stream-places.ts';
import type { DocumentedRoute } from '../http/documented-router.ts';
import { illFormed } from '../queries/failure/query-failure.ts';
import { ProfileResource, profileResource } from '../queries/statements/profile-resource.ts';
import { onceMatched } from '../queries/reconciliation/when-matched.ts';
import { setProfile } from '../queries/statements/profiles.ts';
import { IMPORT_PARAMETERS, importRequest, MOST_FILE_BYTES } from '../queries/statements/statement-request.ts';
import { ImportResource, importResource } from '../queries/statements/statement-resources.ts';
import { isWrongProfile, parseProfile } from '../statements/table/parse-profile.ts';
import { ProfileBody } from '../statements/table/profile-body.ts';
import { onceListed } from '../queries/parameters/position-parameter.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { authorOf } from './author.ts';
import { jsonIn } from './json-body.ts';
import { route } from './route.ts';
import { statementLineRoute } from './statement-line-route.ts';
import { statementListRoute } from './statement-list-route.ts';

const BODY_WITHIN_MS = 60_000;
const MOST_PROFILE_BYTES = 65_536;

const FILE_TYPES = [
  'application/xml',
  'text/plain',
  'text/csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/x-ofx',
  'application/octet-stream',
];

const importRoute = (deps: ApiDependencies): DocumentedRoute =>
  route(deps, {
    id: 'importStatement',
    method: 'post',
    path: '/v1/statements',
    tag: 'Statements',
    summary: 'Import a bank file',
    description:
      'The file is taken whole or refused whole. One that was imported, and can be read as the parameters say, answers the same and adds nothing; a line that another file brought before counts once.',
    scopes: ['statements:write'],
    parameters: IMPORT_PARAMETERS,
    body: {
      description: 'The file as the bank gave it: camt.053, MT940, OFX, or CSV and XLSX with a profile.',
      codecs: [],
      others: FILE_TYPES.map((type) => ({ type, schema: { type: 'string', format: 'binary' } })),
      mostBytes: MOST_FILE_BYTES,
      withinMs: BODY_WITHIN_MS,
    },
    answers: { description: 'What the file says, and how many of its lines are new.', resource: ImportResource },
    problems: ['statement-unreadable', 'behind', 'store-unavailable', 'not-durable'],
    answer: ({ query, body, keyId, requestId, reader, personal }) =>
      pipe(
        body,
        TE.chainW((bytes) => importRequest(deps, query, bytes, authorOf(deps, { keyId, requestId }))),
        // Before its place is there nothing of the file is taken: as many as came would be in memory at once.
        (work) => inPlace(deps.streams, 'bank files', reader, work),
        TE.chainFirstW(({ position }) => onceListed(deps, position)),
        TE.chainFirstW(({ position }) => onceMatched(deps, position)),
        TE.map(({ statement, position }) => ({ body: importResource(statement, position, personal) })),
      ),
  });

const profile = (deps: ApiDependencies): DocumentedRoute =>
  route(deps, {
    id: 'setStatementProfile',
    method: 'post',
    path: '/v1/statements/profiles/{name}',
    tag: 'Statements',
    summary: 'Say which column of a CSV or XLSX file is what',
    scopes: ['statements:write'],
    parameters: {},
    body: {
      description:
        'Columns are named by their header. `direction` goes with one `amount` alone: the column whose words say of each line whether it came in (CR, credit, H, +) or went out (DR, debit, S, -).',
      codecs: [ProfileBody],
      mostBytes: MOST_PROFILE_BYTES,
    },
    answers: { description: 'The profile as it is kept.', resource: ProfileResource },
    problems: ['store-unavailable', 'not-durable'],
    answer: ({ inPath: { name }, body, keyId, requestId }) =>
      pipe(
        body,
        TE.chainEitherKW((bytes) => jsonIn(t.UnknownRecord, bytes)),
        TE.chainEitherKW((sent) => {
          const parsed = parseProfile(sent);
          return isWrongProfile(parsed)
            ? E.left(illFormed(parsed.member, `otherwise: ${parsed.detail}`))
            : E.right(parsed);
        }),
        TE.chainW((parsed) => setProfile(deps, name, parsed, authorOf(deps, { keyId, requestId }))),
        TE.map((kept) => ({ body: profileResource(kept) })),
      ),
  });

/** Bank files and what they bring (docs/spec/statements.md). */
export const statementRoutes = (deps: ApiDependencies): readonly DocumentedRoute[] => [
  importRoute(deps),
  statementListRoute(deps),
  statementLineRoute(deps),
  profile(deps),
];
