import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { DECISIONS } from '../../../projections/match/decision.ts';
import { illFormed } from '../../queries/failure/query-failure.ts';
import { readPath } from '../../queries/parameters/path-parameters.ts';
import { whenIncluded } from '../../queries/parameters/position-parameter.ts';
import { decideMatch, undecideMatch } from '../../queries/reconciliation/decide-match.ts';
import type { ConsoleDependencies } from '../console-dependencies.ts';
import type { ConsoleRoute } from '../console-question.ts';
import { withParameters } from '../links.ts';
import { seeOther } from '../page.ts';
import { RECONCILIATION_PATH } from './reconciliation-page.ts';

const PATH = '/console/reconciliation/{itemId}/decision';

/** Decides on an item of the match, or takes a decision back; the list that it was decided in comes next. */
export const decisionPage = (deps: ConsoleDependencies): ConsoleRoute => ({
  method: 'post',
  path: PATH,
  scopes: ['statements:write'],
  answer: ({ path, form, session, now, requestId }) => {
    const author = { by: session.key.id, at: now, requestId };
    const wanted = form.get('decision') ?? '';
    const decision = DECISIONS.find((one) => one === wanted);
    const ids = (form.get('with') ?? '').split(/[\s,]+/).filter((id) => id !== '');
    return pipe(
      TE.fromEither(readPath(PATH, path)),
      TE.chainW(({ itemId }) => {
        if (wanted === 'undo') return undecideMatch(deps, author)(itemId);
        return decision === undefined
          ? TE.left(illFormed('decision', `one of ${DECISIONS.join(', ')}, undo`))
          : decideMatch(deps, author)(itemId, { decision, with: ids, note: form.get('note') ?? '' });
      }),
      TE.chainFirstW(({ position }) => whenIncluded(deps, position)),
      TE.map(() => seeOther(withParameters(RECONCILIATION_PATH, { state: form.get('state') ?? null }))),
    );
  },
});
