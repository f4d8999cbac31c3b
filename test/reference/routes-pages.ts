import * as t from 'io-ts';
import { SCOPES, type Scope } from '../../src/config/scope.ts';
import { right } from '../support/right.ts';
import { code, table } from './table.ts';

const Operation = t.type({
  summary: t.string,
  security: t.array(t.record(t.string, t.array(t.string))),
});

const Document = t.type({ paths: t.record(t.string, t.record(t.string, Operation)) });

type Route = { readonly name: string; readonly summary: string; readonly scopes: readonly string[] };

const routesOf = (document: unknown): readonly Route[] =>
  Object.entries(right(Document.decode(document)).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary, security }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      summary,
      scopes: security.flatMap((one) => Object.values(one).flat()),
    })),
  );

const listed = (names: readonly string[]): string => names.map(code).join(', ');

/** What a caller of a route must show. */
const asked = ({ name, scopes }: Route): string => {
  if (name === 'POST /v1/webhooks') return 'a signature';
  if (name === 'GET /metrics') return 'none on loopback, elsewhere `admin`';
  return scopes.length === 0 ? 'none' : listed(scopes);
};

/** Every route of the OpenAPI document, with the scopes that it asks for. */
export const routesPage = (document: unknown): string => `# Routes

Made from the ledger's own \`/openapi.json\`, which has the parameters and answers of each; the rules for all of them are in [What can be asked over HTTP](../spec/http.md).

${table(
  ['route', 'scopes', 'answers'],
  routesOf(document).map((route) => [code(route.name), asked(route), route.summary]),
)}
`;

/** What somebody with the scope may do, for whoever gives out keys. */
const ABOUT: Readonly<Record<Scope, string>> = {
  'orders:read': 'Look at orders, their events and the live stream, personal data masked',
  'reports:read': 'Look at reports',
  'audit:read': 'Look at the audit trail and the quarantine, and export',
  'pii:read': 'See personal data, and the signed bytes where another scope allows their order',
  'quarantine:write': 'Have a quarantined delivery decided again, close it, open it again',
  'periods:write': 'Close a month, and open it again',
  'statements:write': 'Bring in bank statements and transfers, and decide on matches',
  admin: 'Read the metrics where the ledger is not on loopback; implies no other scope',
};

/** Every scope, with the routes that ask for it. */
export const scopesPage = (document: unknown): string => {
  const routes = routesOf(document);
  return `# Scopes

What an API key may do (\`API_KEYS\`, see [Configuration](../spec/configuration.md#api-keys)). No scope implies another. A route with several asks for all of them.

${table(
  ['scope', 'lets its holder', 'routes'],
  SCOPES.map((scope) => [
    code(scope),
    ABOUT[scope],
    scope === 'admin'
      ? code('GET /metrics')
      : listed(routes.filter(({ scopes }) => scopes.includes(scope)).map(({ name }) => name)),
  ]),
)}
`;
};
