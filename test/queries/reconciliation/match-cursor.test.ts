import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { expect } from 'chai';
import { cursorOf, foreignCursor } from '../../../src/queries/parameters/cursor.ts';
import { matchChoice, matchList, parseMatchList } from '../../../src/queries/reconciliation/match-items.ts';
import type { MatchPlace } from '../../../src/read-models/match-questions.ts';
import { day } from '../../projections/match/match-scene.ts';
import { right } from '../../support/right.ts';
import { routeDependencies } from '../../support/route-dependencies.ts';

const NOTHING_ASKED = {
  from: null,
  to: null,
  currency: null,
  flow: null,
  account: null,
  state: null,
  rule: null,
  break: null,
  orderId: null,
  lineId: null,
  limit: null,
  skip: null,
  cursor: null,
  position: null,
};

const LIST = JSON.stringify(['reconciliation', matchChoice(NOTHING_ASKED)]);

describe('a cursor of the items of the match', () => {
  const deps = routeDependencies();
  const placeIn = async (cursor: string | null) =>
    E.map(({ after }: { readonly after: MatchPlace | null }) => after)(
      await parseMatchList(deps)({ ...NOTHING_ASKED, cursor })(),
    );

  it('names the place that it was given for, in either list', async () => {
    for (const next of [
      { day: day('2026-03-10'), list: 'awaited', key: '17' },
      { day: day('2026-03-10'), list: 'items', key: 'an item' },
    ] as const) {
      const readModels: typeof deps.readModels = { ...deps.readModels, matchItems: () => TE.right({ data: [], next }) };
      const asked = right(await parseMatchList(deps)(NOTHING_ASKED)());
      const page = right(await matchList({ ...deps, readModels }, 'masked')(asked)());
      expect(await placeIn(page.next)).to.deep.equal(E.right(next));
    }
  });

  it('is foreign where it has the number of an order, which is another one after a build, and good where it has an item', async () => {
    expect(await placeIn(cursorOf(LIST, ['2026-03-10', 'awaited', '17']))).to.deep.equal(E.left(foreignCursor));
    const item = { day: day('2026-03-10'), list: 'items', key: 'an item' };
    expect(await placeIn(cursorOf(LIST, ['2026-03-10', 'items', 'an item']))).to.deep.equal(E.right(item));
  });
});
