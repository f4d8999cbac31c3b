import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DocumentedRoute } from '../http/documented-router.ts';
import { consistency } from '../queries/proofs/consistency.ts';
import { inclusion } from '../queries/proofs/inclusion.ts';
import { logTile, type ServedTile } from '../queries/proofs/log-tile.ts';
import { CONSISTENCY_PARAMETERS, INCLUSION_PARAMETERS } from '../queries/proofs/proof-parameters.ts';
import { ConsistencyResource, InclusionResource } from '../queries/proofs/proof-resources.ts';
import { newestSigned } from '../queries/proofs/signed-log.ts';
import type { Reply } from '../replies/reply.ts';
import { sendAnswer, type Answer } from './answer.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { route } from './route.ts';
import { withoutParameters } from './without-parameters.ts';

const TEXT = 'text/plain';
const UTF8 = `${TEXT}; charset=utf-8`;

const FAILURES = ['behind', 'history-lost'] as const;

const checkpoint = (deps: ApiDependencies): DocumentedRoute =>
  route(deps, {
    id: 'getCheckpoint',
    method: 'get',
    path: '/v1/log/checkpoint',
    tag: 'Proofs',
    summary: 'The newest signed checkpoint of the log',
    scopes: ['audit:read'],
    basic: true,
    parameters: {},
    answers: {
      description: 'A signed note (C2SP tlog-checkpoint).',
      resource: null,
      others: [{ type: TEXT, schema: { type: 'string' } }],
    },
    problems: FAILURES,
    answer: () =>
      pipe(
        newestSigned(deps),
        TE.map(({ note }) => ({ type: UTF8, body: note })),
      ),
  });

/** A full tile never changes; what is kept of it is the caller's alone, who showed a key. */
const FULL_TILE = { 'Cache-Control': 'private, max-age=31536000, immutable' };

/** A proxy must not give packed ones to another caller. */
const BY_CODING = { Vary: 'Accept-Encoding' };

const packed = promisify(gzip);

/** The tile, and entries, which are text, packed for who likes that; hashes do not pack. */
const tileReply =
  (isText: boolean, prefersGzip: () => boolean) =>
  ({ bytes, isFull }: ServedTile): TE.TaskEither<never, Reply<never>> =>
  async () => {
    const headers = { ...(isFull ? FULL_TILE : {}), ...(isText ? BY_CODING : {}) };
    if (!isText || !prefersGzip()) return E.right({ headers, body: bytes });
    const body = await packed(bytes, { level: constants.Z_BEST_SPEED });
    return E.right({ headers: { ...headers, 'Content-Encoding': 'gzip' }, body });
  };

const tile = (deps: ApiDependencies): DocumentedRoute =>
  route(deps, {
    id: 'getLogTile',
    method: 'get',
    path: '/v1/log/tile/{level}/{tile}',
    tag: 'Proofs',
    summary: 'A tile of the tree, or the entries under one, as far as it is signed',
    description:
      'Tiles are named and cut as C2SP tlog-tiles says, partial ones too: any client of that can mirror the log. Full ones never change, and may be kept. Entries are packed with gzip for who takes that.',
    scopes: ['audit:read'],
    basic: true,
    parameters: {},
    answers: {
      description: 'Hashes of 32 bytes, or entries, each behind its length in two bytes.',
      resource: null,
      others: [{ type: 'application/octet-stream', schema: {} }],
      headers: {
        'Cache-Control': { description: 'That a full tile may be kept, and no other.', schema: { type: 'string' } },
        Vary: { description: 'Of entries: on what their coding depends.', schema: { type: 'string' }, required: false },
        'Content-Encoding': { description: 'Of packed entries.', schema: { const: 'gzip' }, required: false },
      },
    },
    problems: ['not-found', 'store-unavailable', ...FAILURES],
    answer: ({ inPath: { level, tile: asked }, prefersGzip }) =>
      pipe(logTile(deps, level, asked), TE.chainW(tileReply(level === 'entries', prefersGzip))),
  });

const inclusionProof = (deps: ApiDependencies): DocumentedRoute =>
  route(deps, {
    id: 'getInclusionProof',
    method: 'get',
    path: '/v1/proofs/inclusion',
    tag: 'Proofs',
    summary: 'That an event is in the log',
    scopes: ['audit:read'],
    basic: true,
    parameters: INCLUSION_PARAMETERS,
    answers: { description: 'The proof (RFC 6962).', resource: InclusionResource },
    problems: ['not-found', 'store-unavailable', ...FAILURES],
    answer: ({ query }) =>
      pipe(
        inclusion(deps, query),
        TE.map((body) => ({ body })),
      ),
  });

const consistencyProof = (deps: ApiDependencies): DocumentedRoute =>
  route(deps, {
    id: 'getConsistencyProof',
    method: 'get',
    path: '/v1/proofs/consistency',
    tag: 'Proofs',
    summary: 'That the log of one size is the beginning of the log of another',
    scopes: ['audit:read'],
    basic: true,
    parameters: CONSISTENCY_PARAMETERS,
    answers: { description: 'The proof (RFC 6962).', resource: ConsistencyResource },
    problems: FAILURES,
    answer: ({ query }) =>
      pipe(
        consistency(deps, query),
        TE.map((body) => ({ body })),
      ),
  });

const keyAnswer = (line: string | null): Answer<never> =>
  line === null ? TE.left({ _tag: 'ProofsBehind', detail: null }) : TE.right({ type: UTF8, body: `${line}\n` });

const key = ({ proofs, log }: ApiDependencies): DocumentedRoute => ({
  operation: {
    id: 'getLogKey',
    method: 'get',
    path: '/v1/log/key',
    tag: 'Proofs',
    summary: 'The line that checkpoints are verified with',
    scopes: [],
    parameters: [],
    answers: [
      {
        status: 200,
        description: 'The origin, the hash and the key (C2SP signed-note).',
        headers: {},
        contents: [{ type: TEXT, schema: { type: 'string' } }],
      },
    ],
    problems: ['invalid-parameter', 'behind'],
  },
  handle: (ctx) => sendAnswer(ctx, log, null, withoutParameters(ctx, keyAnswer(proofs.verifierLine()))),
});

/** What proves the history of the log (docs/spec/http.md, Proofs). */
export const proofRoutes = (deps: ApiDependencies): readonly DocumentedRoute[] => [
  checkpoint(deps),
  key(deps),
  tile(deps),
  inclusionProof(deps),
  consistencyProof(deps),
];
