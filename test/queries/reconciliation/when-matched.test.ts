import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { positionAt } from '../../../src/domain/position.ts';
import { onceMatched, whenMatched } from '../../../src/queries/reconciliation/when-matched.ts';
import type { MatchSummary } from '../../../src/read-models/match-questions.ts';
import { routeDependencies, routeDoubles } from '../../support/route-dependencies.ts';

/** A match whose summaries say one after the other what is still due; the last of them for ever. */
const matchThatOwes = (...due: readonly MatchSummary['due'][]) => {
  const doubles = routeDoubles();
  const { store, readModels } = routeDependencies({}, doubles);
  let asked = 0;
  const matchSummary = () => {
    const its = due[Math.min(asked, due.length - 1)] ?? null;
    asked += 1;
    return TE.right({ asOf: null, hasStatements: true, due: its, rows: [] });
  };
  const includes = () => TE.right(undefined);
  return { deps: { store, readModels: { ...readModels, matchSummary, includes } }, asked: () => asked };
};

const DUE = { position: positionAt(7), lines: 3 };

describe('an answer of the match', () => {
  it('waits for the lines of files up to its position, and for no later ones', async () => {
    const first = matchThatOwes(DUE, DUE, null);
    expect(await whenMatched(first.deps, positionAt(7))()).to.deep.equal(E.right(undefined));
    expect(first.asked()).to.equal(3);
    const later = matchThatOwes(DUE);
    expect(await whenMatched(later.deps, positionAt(6))()).to.deep.equal(E.right(undefined));
    expect(later.asked()).to.equal(1);
    const unasked = matchThatOwes(DUE);
    expect(await whenMatched(unasked.deps, null)()).to.deep.equal(E.right(undefined));
    expect(unasked.asked()).to.equal(0);
  });

  it('goes on after a while for whoever has just imported', async () => {
    const owing = matchThatOwes(DUE, DUE, null);
    expect(await onceMatched(owing.deps, positionAt(9))()).to.deep.equal(E.right(undefined));
    expect(owing.asked()).to.equal(3);
  });
});
