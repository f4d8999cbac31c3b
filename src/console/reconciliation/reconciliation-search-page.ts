import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { ConsoleRoute } from '../console-question.ts';
import { filledParameters } from '../filled-parameters.ts';
import type { LargePageDependencies } from '../large-page-dependencies.ts';
import { withParameters } from '../links.ts';
import { seeOther } from '../page.ts';
import { CHOOSING, DONE_PARAMETERS } from './list-parameters.ts';
import { matchFilterForm, NOTHING_OFFERED } from './match-filter-form.ts';
import { isPosted, postedParameters, postedTexts } from './posted-list.ts';
import { listPage } from './reconciliation-page.ts';
import { RECONCILIATION_PATH, RECONCILIATION_SEARCH_PATH } from './reconciliation-path.ts';

/**
 * The match, filtered by what is posted. What was just done with an item stands in the URL all the same. A list that is chosen by
 * nothing but what may stand in a URL is shown by its own.
 */
export const reconciliationSearchPage = (deps: LargePageDependencies): ConsoleRoute => ({
  method: 'post',
  path: RECONCILIATION_SEARCH_PATH,
  scopes: ['reports:read'],
  form: (_texts, asked) => matchFilterForm(new Map(postedTexts(asked)), NOTHING_OFFERED, asked),
  answer: (asked) => {
    const posted = postedTexts(asked);
    const texts = new Map(posted);
    if (!isPosted(texts)) return TE.right(seeOther(withParameters(RECONCILIATION_PATH, Object.fromEntries(texts))));
    return pipe(
      TE.fromEither(postedParameters(posted, asked, CHOOSING)),
      TE.bindTo('list'),
      TE.bindW('done', () => TE.fromEither(filledParameters(asked, DONE_PARAMETERS))),
      TE.chain(({ list, done }) =>
        listPage(deps, asked, { texts, query: { ...list.query, ...done.query }, imported: null, again: null }),
      ),
    );
  },
});
