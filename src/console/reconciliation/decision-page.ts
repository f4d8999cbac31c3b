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
import { seeOther, sendOn, type PageAnswer } from '../page.ts';
import { NEEDING_NOTE, noteId } from './decision-forms.ts';
import { isPosted, listIn } from './posted-list.ts';
import { RECONCILIATION_PATH, RECONCILIATION_SEARCH_PATH } from './reconciliation-path.ts';

const PATH = '/console/reconciliation/{itemId}/decision';

/** What was just done, or was not since nobody said why, for the list to say; null: something was taken back. */
type Done =
  | { readonly decided: string; readonly as: DecisionKind | null }
  | { readonly unsaid: string; readonly as: DecisionKind };

/**
 * The list that was decided in, at some place in it. Where it is chosen by what may stand in no URL, the form that was sent is
 * sent on: it says which list that is. To load that page again is to search again, and decides nothing.
 */
const listOf = (query: string, done: Done | null, place: string): PageAnswer => {
  const texts = new Map(listIn(query));
  return isPosted(texts)
    ? sendOn(`${withParameters(RECONCILIATION_SEARCH_PATH, { ...done })}${place}`)
    : seeOther(`${withParameters(RECONCILIATION_PATH, { ...Object.fromEntries(texts), ...done })}${place}`);
};

/** The list that was decided in, at what comes next there. */
const backTo = (query: string, next: string, done: Done | null): PageAnswer =>
  listOf(query, done, isItemId(next) ? `#item-${next}` : '');

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
    const [back, note] = [form.get('back') ?? '', form.get('note') ?? ''];
    const item = TE.fromEither(readPath(PATH, path));
    // What takes money off the list, or parts what a rule joined, is not done without a reason: the field for it comes next.
    if (decision !== undefined && NEEDING_NOTE.has(decision) && note.trim() === '')
      return pipe(
        item,
        TE.map(({ itemId }) => listOf(back, { unsaid: itemId, as: decision }, `#${noteId(itemId)}`)),
      );
    return pipe(
      item,
      TE.bindW('done', ({ itemId }) => {
        if (wanted === 'undo') return undecideMatch(deps, author)(itemId);
        return decision === undefined
          ? TE.left(illFormed('decision', `one of ${DECISIONS.join(', ')}, undo`))
          : decideMatch(deps, author)(itemId, { decision, with: ids, note });
      }),
      TE.chainFirstW(({ done }) => whenIncluded(deps, done.position)),
      TE.map(({ itemId }) =>
        wanted === 'undo'
          ? // What it was is there again, and is where one goes on.
            backTo(back, itemId, null)
          : backTo(back, form.get('next') ?? '', { decided: itemId, as: decision ?? null }),
      ),
    );
  },
});
