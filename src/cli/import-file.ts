import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { AT_COMMAND_LINE, type Author } from '../domain/own-event/own-metadata.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import type { ParameterTable, Query } from '../queries/parameters/parameters.ts';
import type { TakeImportTurn } from '../queries/statements/import-turn.ts';
import { ask, parametersOf, type AskingDeps } from './answer.ts';
import type { CommandContext } from './command-context.ts';
import { commandFailure, type CommandFailure } from './command-failure.ts';
import type { ExitStatus } from './exit-status.ts';
import { fileBytes } from './file-bytes.ts';
import { withLedger } from './with-ledger.ts';

/** A file that is handed to the ledger, and how its answer is shown. */
type FileImport<T extends ParameterTable, Answer> = {
  readonly file: string;
  readonly mostBytes: number;
  /** The options, named as the query parameters are. */
  readonly options: Readonly<Record<string, string | undefined>>;
  readonly table: T;
  readonly take: (
    deps: AskingDeps,
    query: Query<T>,
    bytes: Buffer,
    author: Author,
  ) => TE.TaskEither<QueryFailure, Answer>;
  /**
   * Whether bank files of other processes are kept away from before the read models are opened: these stay as they are then,
   * and must include all that was imported before.
   */
  readonly inTurn: boolean;
  /** What the command prints. */
  readonly shown: (answer: Answer) => string;
};

/** Hands a file to the ledger as the route of the same name takes it, whether the ledger serves or not. */
export const importFile = <T extends ParameterTable, Answer>(
  context: CommandContext,
  { file, mostBytes, options, table, take, inTurn, shown }: FileImport<T, Answer>,
): Promise<ExitStatus> =>
  withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
    const { terminal, now, newRequestId } = context;
    const query = parametersOf(options, table);
    if (E.isLeft(query)) return query;
    const bytes = fileBytes(file, mostBytes);
    if (E.isLeft(bytes)) return bytes;
    const author = { by: AT_COMMAND_LINE, at: now(), requestId: newRequestId() };
    const turn = inTurn ? await ledger.importTurn() : E.right(null);
    if (E.isLeft(turn)) return E.left(commandFailure(turn.left));
    const held = turn.right;
    const importTurn: TakeImportTurn =
      held === null ? ledger.importTurn : TE.right({ position: held.position, end: () => undefined });
    try {
      const taken = await ask(
        context,
        { ...ledger, importTurn },
        {
          parse: () => TE.right(query.right),
          answer: (deps) => (asked) => take(deps, asked, bytes.right, author),
        },
      );
      if (E.isLeft(taken)) return taken;
      terminal.out(shown(taken.right));
      return E.right(0);
    } finally {
      held?.end();
    }
  });
