import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { inPlace } from '../access/stream-places.ts';
import type { DocumentedRoute } from '../http/documented-router.ts';
import {
  importTransfers,
  MOST_TRANSFER_BYTES,
  TRANSFER_IMPORT_PARAMETERS,
} from '../queries/transfers/import-transfers.ts';
import {
  parseTransferList,
  TRANSFER_LIST_PARAMETERS,
  TransferImportResource,
  transferList,
  TransferPageResource,
} from '../queries/transfers/transfer-list.ts';
import { onceListed } from '../queries/parameters/position-parameter.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { authorOf } from './author.ts';
import { route } from './route.ts';

const BODY_WITHIN_MS = 60_000;

const imports = (deps: ApiDependencies): DocumentedRoute =>
  route(deps, {
    id: 'importTransfers',
    method: 'post',
    path: '/v1/transfers',
    tag: 'Statements',
    summary: 'Note transfers that were seen on chain',
    description: 'A transfer that is known as it is adds nothing.',
    scopes: ['statements:write'],
    parameters: TRANSFER_IMPORT_PARAMETERS,
    body: {
      description: "Etherscan's token export (CSV), or NDJSON of transfers as they are listed.",
      codecs: [],
      others: ['text/csv', 'application/x-ndjson'].map((type) => ({
        type,
        schema: { type: 'string', format: 'binary' },
      })),
      mostBytes: MOST_TRANSFER_BYTES,
      withinMs: BODY_WITHIN_MS,
    },
    answers: { description: 'How many transfers came, and how many are new.', resource: TransferImportResource },
    problems: ['statement-unreadable', 'store-unavailable', 'not-durable'],
    answer: ({ query, body, keyId, requestId, reader }) =>
      pipe(
        body,
        TE.chainW((bytes) => importTransfers(deps, query, bytes, authorOf(deps, { keyId, requestId }))),
        // As for bank files: nothing of it is taken before there is a place.
        (work) => inPlace(deps.streams, 'bank files', reader, work),
        TE.chainFirstW(({ position }) => onceListed(deps, position)),
        TE.map((imported) => ({ body: imported })),
      ),
  });

const list = (deps: ApiDependencies): DocumentedRoute =>
  route(deps, {
    id: 'listTransfers',
    method: 'get',
    path: '/v1/transfers',
    tag: 'Statements',
    summary: 'Transfers that were seen on chain, in the order in which they were first seen',
    scopes: ['reports:read'],
    parameters: TRANSFER_LIST_PARAMETERS,
    answers: { description: 'A page of transfers.', resource: TransferPageResource },
    problems: ['behind', 'store-unavailable'],
    answer: ({ query, personal }) =>
      pipe(
        parseTransferList(deps)(query),
        TE.chain(transferList(deps, personal)),
        TE.map((body) => ({ body })),
      ),
  });

/** Transfers on chain (docs/spec/statements.md, A transfer). */
export const transferRoutes = (deps: ApiDependencies): readonly DocumentedRoute[] => [imports(deps), list(deps)];
