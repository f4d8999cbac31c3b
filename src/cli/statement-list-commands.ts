import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import type { JsonObject } from '../domain/json.ts';
import { isSha256 } from '../domain/ids.ts';
import {
  lineList,
  parseLineList,
  parseStatementList,
  STATEMENT_LIST_PARAMETERS,
  statementList,
} from '../queries/statements/statement-lists.ts';
import { ask, parametersOf } from './answer.ts';
import { cellText } from './output/cell-text.ts';
import type { CommandContext, OpenLedger } from './command-context.ts';
import { failing, type CommandFailure } from './command-failure.ts';
import type { ExitStatus } from './exit-status.ts';
import { writeListPage } from './output/list-page.ts';
import { withLedger } from './with-ledger.ts';

type Paging = { readonly limit?: string; readonly cursor?: string };
type Options = Paging & { readonly json?: true; readonly pii?: true };

const LIST_EXAMPLES = `
Examples:
  ramp-ledger statement list
  ramp-ledger statement list --json        as GET /v1/statements gives it
`;

const LINES_EXAMPLES = `
Examples:
  ramp-ledger statement lines 2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824
  ramp-ledger statement lines 2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824 --pii --json
`;

const FILES = ['importedAt', 'statementId', 'account', 'from', 'to', 'lines', 'newLines', 'name'] as const;
const LINES = ['index', 'bookedOn', 'valueOn', 'direction', 'amount', 'currency', 'references', 'text'] as const;

const paged = (command: Command): Command =>
  command
    .option('--limit <n>', 'how many at the most: 1 to 500, 50 where nothing is said')
    .option('--cursor <cursor>', 'go on behind the page that named this cursor')
    .option('--json', 'print the HTTP resource')
    .option('--pii', 'show personal data: what the bank wrote, e-mail addresses in names of files');

const writeFiles = async (
  context: CommandContext,
  ledger: OpenLedger,
  { json, pii, ...options }: Options,
): Promise<E.Either<CommandFailure, ExitStatus>> => {
  const query = parametersOf(options, STATEMENT_LIST_PARAMETERS);
  if (E.isLeft(query)) return query;
  const list = await ask(context, ledger, {
    parse: (deps) => parseStatementList(deps)(query.right),
    answer: (deps) => statementList(deps, pii === true ? 'shown' : 'masked'),
  });
  if (E.isLeft(list)) return list;
  writeListPage(context.terminal, list.right, { json: json === true, names: FILES });
  return E.right(0);
};

const withReferencesAsText = (line: JsonObject): JsonObject => {
  const references = line['references'];
  return { ...line, references: Array.isArray(references) ? references.map(cellText).join(' ') : '' };
};

const writeLines = async (
  context: CommandContext,
  ledger: OpenLedger,
  id: string,
  { json, pii, ...options }: Options,
): Promise<E.Either<CommandFailure, ExitStatus>> => {
  if (!isSha256(id)) return failing(1, `${cellText(id)}: no such bank file was imported`);
  const query = parametersOf(options, STATEMENT_LIST_PARAMETERS);
  if (E.isLeft(query)) return query;
  const list = await ask(context, ledger, {
    parse: (deps) => parseLineList(deps, id)(query.right),
    answer: (deps) => lineList(deps, pii === true ? 'shown' : 'masked'),
  });
  if (E.isLeft(list)) return list;
  const alignments = LINES.map((name) => (name === 'amount' ? 'number' : 'text'));
  writeListPage(context.terminal, list.right, {
    json: json === true,
    names: LINES,
    shown: withReferencesAsText,
    alignments,
  });
  return E.right(0);
};

/** `statement list`: imported bank files, in the order in which they came. */
export const statementListCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  paged(new Command('list').description('list imported bank files'))
    .addHelpText('after', LIST_EXAMPLES)
    .action(async (options: Options) =>
      exit(await withLedger(context, (ledger) => writeFiles(context, ledger, options))),
    );

/** `statement lines ID`: the lines of an imported bank file, in their order. */
export const statementLinesCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  paged(new Command('lines').description('list the lines of an imported bank file'))
    .argument('<id>', 'the id that `statement list` shows')
    .addHelpText('after', LINES_EXAMPLES)
    .action(async (id: string, options: Options) =>
      exit(await withLedger(context, (ledger) => writeLines(context, ledger, id, options))),
    );
