import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { AUDIT_EXPORT, ORDERS_EXPORT, parseExport, type ExportQuestion } from '../queries/exports/export-questions.ts';
import type { ParameterTable } from '../queries/parameters/parameters.ts';
import { exportReply } from '../replies/export-reply.ts';
import type { ConsoleDependencies } from './console-dependencies.ts';
import type { ConsoleRoute } from './console-question.ts';
import { filledParameters } from './filled-parameters.ts';
import { sent } from './page.ts';

/** All that a list shows as a file, of one position (docs/spec/http.md, Exports). */
const exportPage = <T extends ParameterTable>(
  deps: ConsoleDependencies,
  of: ExportQuestion<T>,
  scopes: readonly string[],
): ConsoleRoute => ({
  method: 'get',
  path: `/console/files/${of.kind}`,
  scopes,
  answer: (asked) =>
    pipe(
      TE.fromEither(filledParameters(asked, of.parameters)),
      TE.chain(({ texts, query }) => parseExport(deps, of, { query, texts: [...texts], personal: asked.personal })),
      TE.chain((wanted) => exportReply(deps, wanted, asked.reader, () => undefined)),
      TE.map(sent),
    ),
});

/** The files behind the lists of orders and of the audit trail. */
export const exportPages = (deps: ConsoleDependencies): readonly ConsoleRoute[] => [
  exportPage(deps, ORDERS_EXPORT, ['orders:read', 'audit:read']),
  exportPage(deps, AUDIT_EXPORT, ['audit:read']),
];
