import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { DECISIONS, type DecisionKind } from '../../../projections/match/decision.ts';
import { isItemId } from '../../../projections/match/item-id.ts';
import { illFormed } from '../../queries/failure/query-failure.ts';
import { readPath } from '../../queries/parameters/path-parameters.ts';
import { whenIncluded } from '../../queries/parameters/position-parameter.ts';
import { decideMatch, undecideMatch } from '../../queries/reconciliation/decide-match.ts';
import type { ConsoleDependencies } from '../console-dependencies.ts';
import type { ConsoleRoute } from '../console-question.ts';
import { withParameters } from '../links.ts';
import { seeOther } from '../page.ts';
import { LIST_NAMES } from './list-parameters.ts';
import { RECONCILIATION_PATH } from './reconciliation-path.ts';

const PATH = '/console/reconciliation/{itemId}/decision';

/** What was just done, for the list to say; null: something was taken back. */
type Done = { readonly decided: string; readonly as: DecisionKind | null };

/** The list that was decided in, at what comes next there; names that no list has are left out. */
const backTo = (query: string, next: string, done: Done | null): string => {
  const texts = new URLSearchParams(query);
  const kept = LIST_NAMES.flatMap((name) => (texts.has(name) ? [[name, texts.get(name)] as const] : []));
  const list = withParameters(RECONCILIATION_PATH, { ...Object.fromEntries(kept), ...done });
  return isItemId(next) ? `${list}#item-${next}` : list;
};

/** Decides on an item of the match, or takes a decision back; the list that it was decided in comes next. */
export const decisionPage = (deps: ConsoleDependencies): ConsoleRoute => ({
  method: 'post',
  path: PATH,
  // The list that comes next needs the first: who may not see it is told before anything is decided.
  scopes: ['reports:read', 'statements:write'],
  answer: ({ path, form, session, now, requestId }) => {
    const author = { by: session.key.id, at: now, requestId };
    const wanted = form.get('decision') ?? '';
    const decision = DECISIONS.find((one) => one === wanted);
    const ids = (form.get('with') ?? '').split(/[\s,]+/).filter((id) => id !== '');
    const back = form.get('back') ?? '';
    return pipe(
      TE.fromEither(readPath(PATH, path)),
      TE.bindW('done', ({ itemId }) => {
        if (wanted === 'undo') return undecideMatch(deps, author)(itemId);
        return decision === undefined
          ? TE.left(illFormed('decision', `one of ${DECISIONS.join(', ')}, undo`))
          : decideMatch(deps, author)(itemId, { decision, with: ids, note: form.get('note') ?? '' });
      }),
      TE.chainFirstW(({ done }) => whenIncluded(deps, done.position)),
      TE.map(({ itemId }) =>
        wanted === 'undo'
          ? // What it was is there again, and is where one goes on.
            seeOther(backTo(back, itemId, null))
          : seeOther(backTo(back, form.get('next') ?? '', { decided: itemId, as: decision ?? null })),
      ),
    );
  },
});
