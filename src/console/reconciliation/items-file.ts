import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { parseExport, RECONCILIATION_EXPORT, type AskedExport } from '../../queries/exports/export-questions.ts';
import { exportReply } from '../../replies/export-reply.ts';
import type { ConsoleDependencies } from '../console-dependencies.ts';
import type { ConsoleRoute } from '../console-question.ts';
import { filledParameters } from '../filled-parameters.ts';
import { sent } from '../page.ts';
import { chosenItems, type ChosenItems } from './chosen-items.ts';
import { CHOOSING } from './list-parameters.ts';
import { ITEMS_FILE_PATH } from './reconciliation-path.ts';

const { cursor: _cursor, ...CHOSEN } = CHOOSING;
const PARAMETERS = { ...CHOSEN, format: RECONCILIATION_EXPORT.parameters.format } as const;

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

/** The items that the page shows, as a file. */
export const itemsFile = (deps: ConsoleDependencies): ConsoleRoute => ({
  method: 'get',
  path: ITEMS_FILE_PATH,
  scopes: ['reports:read'],
  answer: (asked) =>
    pipe(
      TE.fromEither(filledParameters(asked, PARAMETERS)),
      TE.bindW('chosen', ({ query: { format: _format, ...query } }) =>
        chosenItems(deps, { ...query, cursor: null }, deps.calendar.dayOf(asked.now), asked.session.key.scopes),
      ),
      TE.chain(({ query: { format }, chosen }) =>
        pipe(
          parseExport(deps, RECONCILIATION_EXPORT, {
            query: { ...chosen.query, format, position: null },
            texts: textsOf(chosen),
            personal: asked.personal,
          }),
          TE.chain((wanted) => exportReply(deps, asChosen(wanted, chosen), asked.reader, () => undefined)),
        ),
      ),
      TE.map(sent),
    ),
});
