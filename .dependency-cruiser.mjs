// The layers of the ledger, and what each may import. Type-only imports count as imports.
// swc is named here so that the check fails where its binary is missing: without it dependency-cruiser skips every .ts file.
import '@swc/core';

const source = '^(src|projections)/';
const pureCore = '^(node:)?(crypto|buffer)$';
const logLevels = '^src/telemetry/log-level\\.ts$';
const port = '^src/event-store/(event-store|parted-log|spool)\\.ts$';
const adapters = '^src/(event-store|read-models)/[^/]+/';
/** The composition root's own folders; each of its threads puts its own adapters together. */
const threads = '^src/(composition|threads)/';
const domain = '^src/domain/';
const projections = '^projections/';
const openapi = '^src/openapi/';
/** Deadlines, pauses, limits: what has no subject of its own. */
const concurrency = '^src/concurrency/';
/** Whose what is made in the data directory is. */
const files = '^src/files/';
/** How the program and its threads find their modules. */
const loading = '^src/loading/';
const sql = '^src/sql/';
/** What can be asked; it knows no HTTP. */
const queries = '^src/queries/';
/** What the interface and the console have in common: keys and limits, files and streams. */
const access = '^src/access/';
const replies = '^src/replies/';
/** What arrives, counted. */
const arrivals = '^src/arrivals/';

/** A layer, named by its folder, that imports nothing of the ledger but itself and the folders (or files) named. */
const layer = (folder, ...allowed) => ({
  name: `layer ${folder}`,
  severity: 'error',
  from: { path: `^${folder}/` },
  to: { path: source, pathNot: [`^${folder}/`, ...allowed] },
});

const packages = (folder, allowed) => ({
  name: `packages of ${folder}`,
  severity: 'error',
  from: { path: `^${folder}/` },
  to: { path: 'node_modules/', pathNot: `node_modules/(${allowed})/` },
});

export default {
  forbidden: [
    { name: 'no circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no I/O in the domain and the projections',
      comment: 'Of Node only what computes on bytes: digests and buffers.',
      severity: 'error',
      from: { path: [domain, projections] },
      to: { dependencyTypes: ['core'], pathNot: pureCore },
    },
    packages('src/domain', 'fp-ts|io-ts|big\\.js|@types/big\\.js'),
    packages('projections', 'fp-ts'),
    packages('src/tokens', 'fp-ts|io-ts|jose|node-fetch'),

    layer('projections', domain),
    layer('src/domain'),
    layer('src/sql', files),
    layer('src/chain', domain, concurrency),
    packages('src/chain', 'fp-ts|io-ts|csv-parse'),
    layer('src/statements', domain),
    packages('src/statements', 'fp-ts|io-ts|sax|@types/sax|csv-parse|hucre'),
    layer('src/concurrency'),
    layer('src/files'),
    packages('src/files', ''),
    layer('src/loading'),
    packages('src/loading', ''),
    layer('src/ledger', domain, concurrency, projections, port),
    layer('src/openapi', domain),
    layer('src/http', domain, concurrency, openapi),
    layer('src/webhooks', domain, concurrency, openapi, '^src/ledger/', '^src/http/'),
    layer(
      'src/queries',
      domain,
      '^src/statements/',
      '^src/chain/',
      concurrency,
      projections,
      '^src/ledger/',
      port,
      '^src/read-models/[^/]+$',
      '^src/openapi/described\\.ts$',
      '^src/proofs/(check-proof|checkpoint|copied-note|log-leaf|proof-log|signed-note|tile)\\.ts$',
      '^src/proofs/evidence/',
    ),
    packages('src/queries', 'fflate|fp-ts|io-ts|csv-parse|csv-stringify'),
    layer('src/arrivals', domain, files),
    packages('src/arrivals', 'fp-ts|io-ts'),
    layer('src/access', domain, concurrency, queries),
    layer('src/replies', domain, concurrency, openapi, queries, access, '^src/http/'),
    layer(
      'src/api',
      domain,
      '^src/statements/table/',
      concurrency,
      openapi,
      queries,
      access,
      replies,
      '^src/ledger/',
      '^src/http/',
      port,
    ),
    layer(
      'src/console',
      domain,
      // What a bank file would bring is shown before it is imported, and how the columns of a table are read.
      '^src/statements/',
      openapi,
      concurrency,
      projections,
      queries,
      access,
      replies,
      arrivals,
      '^src/ledger/',
      '^src/http/',
      '^src/read-models/[^/]+$',
    ),
    {
      name: 'the command line asks questions, and serves none',
      severity: 'error',
      from: { path: '^src/cli/' },
      to: { path: '^src/(access|api|console|http|replies|webhooks)/' },
    },
    {
      name: 'koa-body reads what the sandbox is sent alone',
      comment: 'Its formidable takes time that is quadratic in what somebody sends, and a tenth of a second to load.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/sandbox/' },
      to: { path: 'node_modules/koa-body/' },
    },
    {
      name: 'doctor judges facts, and gathers none',
      severity: 'error',
      from: { path: '^src/doctor/' },
      to: { dependencyTypes: ['core'] },
    },
    layer(
      'src/doctor',
      domain,
      '^src/arrivals/(arrivals-seen|refusal-hints)\\.ts$',
      '^src/event-store/(examination|spool)\\.ts$',
      '^src/read-models/[^/]+$',
      '^src/config/(config|config-error|file-secrets|generated-secret|loopback)\\.ts$',
    ),
    packages('src/doctor', 'fp-ts'),
    layer(
      'src/config',
      domain,
      logLevels,
      '^src/concurrency/(in-time|silence)\\.ts$',
      '^src/event-store/(?:place-of-file|second-name)\\.ts$',
      files,
      '^src/proofs/(checkpoint|generated-origin|signed-note|files/(?:accepted-losses|begun-here|log-keys|names-of-log))\\.ts$',
    ),
    layer('src/proofs', domain, port, concurrency, files),
    packages('src/proofs', 'fflate|fp-ts|io-ts'),
    layer('src/telemetry', domain, '^src/concurrency/in-time\\.ts$'),
    layer('src/sandbox', domain, concurrency, '^src/http/url-encoded\\.ts$'),
    layer('src/tokens', domain, concurrency),
    {
      name: 'routes are mounted in one place',
      comment: 'What is around every route (id, trace, errors, headers) is there, and around the sandbox in its own.',
      severity: 'error',
      from: { path: source, pathNot: '^src/(http|sandbox)/' },
      to: { path: 'node_modules/koa/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the port knows the domain only',
      severity: 'error',
      from: { path: '^src/event-store/[^/]+$' },
      to: { path: source, pathNot: [domain, '^src/event-store/[^/]+$'] },
    },
    {
      name: 'an adapter knows its port and the domain only',
      severity: 'error',
      from: { path: '^src/(event-store|read-models)/([^/]+)/' },
      to: {
        path: source,
        pathNot: [
          '^src/$1/$2/',
          '^src/$1/[^/]+$',
          '^src/read-models/statements/',
          domain,
          concurrency,
          loading,
          projections,
          port,
          sql,
          files,
        ],
      },
    },
    {
      name: 'only the composition root names an adapter',
      severity: 'error',
      from: { path: source, pathNot: [adapters, '^src/main\\.ts$', threads] },
      to: { path: adapters },
    },
    {
      name: 'nobody imports what is put together',
      severity: 'error',
      from: { path: source, pathNot: [threads, '^src/main\\.ts$'] },
      to: { path: threads },
    },
    {
      name: 'read models know their ports, the domain and the projections only',
      comment: 'And how an entry of MT940 is kept: only the entry itself tells where its text was wrapped.',
      severity: 'error',
      from: { path: '^src/read-models/[^/]+$' },
      to: {
        path: source,
        pathNot: [
          domain,
          concurrency,
          projections,
          port,
          '^src/read-models/[^/]+$',
          // Lines are indexed by what of them is told.
          '^src/statements/told-references\\.ts$',
          '^src/statements/mt940/kept-entry\\.ts$',
        ],
      },
    },
    {
      name: 'nobody imports the composition root',
      comment: 'src/ramp-ledger.mjs starts it.',
      severity: 'error',
      from: { pathNot: '^src/ramp-ledger\\.mjs$' },
      to: { path: '^src/(main\\.ts|ramp-ledger\\.mjs)$' },
    },
    {
      name: 'the start imports nothing before its check',
      comment: 'On an old Node even the parsing of another module may crash.',
      severity: 'error',
      from: { path: '^src/ramp-ledger\\.mjs$' },
      to: { dynamic: false },
    },
    {
      name: 'no tests in the product',
      severity: 'error',
      from: { path: source },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'no development packages in the product',
      severity: 'error',
      from: { path: source },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
