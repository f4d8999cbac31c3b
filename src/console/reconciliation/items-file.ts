import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { parseExport, RECONCILIATION_EXPORT, type AskedExport } from '../../queries/exports/export-questions.ts';
import type { QueryFailure } from '../../queries/failure/query-failure.ts';
import type { Query } from '../../queries/parameters/parameters.ts';
import { exportReply } from '../../replies/export-reply.ts';
import type { ConsoleDependencies } from '../console-dependencies.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { filledParameters } from '../filled-parameters.ts';
import { sent, type PageAnswer } from '../page.ts';
import { chosenItems, type ChosenItems } from './chosen-items.ts';
import { CHOOSING } from './list-parameters.ts';
import { postedParameters, postedTexts } from './posted-list.ts';
import { ITEMS_FILE_PATH } from './reconciliation-path.ts';

const { cursor: _cursor, ...CHOSEN } = CHOOSING;
const { format } = RECONCILIATION_EXPORT.parameters;
const POSTED = { ...CHOSEN, format } as const;

const { text: _text, account: _account, ...IN_ADDRESS } = POSTED;

type Wanted = Query<typeof POSTED>;

/** What was chosen, as the file says it again. */
const textsOf = ({ query }: ChosenItems): readonly (readonly [string, string])[] =>
  Object.entries(query).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));

/** What the interface has no parameter for: any open state, and a reference. */
const asChosen = (asked: AskedExport, { isOpen, search }: ChosenItems): AskedExport => {
  const { request } = asked;
  if (request.kind !== 'reconciliation') return asked;
  const choice = {
    ...request.choice,
    ...(isOpen ? { state: 'open' as const } : {}),
    ...(search === null ? {} : { search }),
  };
  const filters = {
    ...request.filters,
    ...(isOpen ? { state: 'open' } : {}),
    ...(search === null ? {} : { q: search.reference }),
  };
  return { ...asked, request: { ...request, choice, filters } };
};

const fileOf = (
  deps: ConsoleDependencies,
  asked: ConsoleQuestion,
  { format: wantedFormat, ...query }: Wanted,
): TE.TaskEither<QueryFailure, PageAnswer> =>
  pipe(
    chosenItems(deps, { ...query, cursor: null }, deps.calendar.dayOf(asked.now), asked.session.key.scopes),
    TE.chain((chosen) =>
      pipe(
        parseExport(deps, RECONCILIATION_EXPORT, {
          query: { ...chosen.query, format: wantedFormat, position: null },
          texts: textsOf(chosen),
          personal: asked.personal,
        }),
        TE.chain((wanted) => exportReply(deps, asChosen(wanted, chosen), asked.reader, () => undefined)),
      ),
    ),
    TE.map(sent),
  );

/** The items that the page shows, as a file: chosen in the URL, or posted where that may stand in none. */
export const itemsFiles = (deps: ConsoleDependencies): readonly ConsoleRoute[] => [
  {
    method: 'get',
    path: ITEMS_FILE_PATH,
    scopes: ['reports:read'],
    answer: (asked) =>
      pipe(
        TE.fromEither(filledParameters(asked, IN_ADDRESS)),
        TE.chain(({ query }) => fileOf(deps, asked, { ...query, text: null, account: null })),
      ),
  },
  {
    method: 'post',
    path: ITEMS_FILE_PATH,
    scopes: ['reports:read'],
    answer: (asked) =>
      pipe(
        [...postedTexts(asked), ...[...asked.form].filter(([name]) => name === 'format')],
        (texts) => TE.fromEither(postedParameters(texts, asked, POSTED)),
        TE.chain(({ query }) => fileOf(deps, asked, query)),
      ),
  },
];
