import * as TE from 'fp-ts/lib/TaskEither.js';
import { expect } from 'chai';
import { itemOfOrder, orderMatch } from '../../src/console/order/order-match.ts';
import { branded } from '../../src/domain/brand.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import { itemWith } from '../support/item-with.ts';
import { right } from '../support/right.ts';
import { NOW, routeDependencies } from '../support/route-dependencies.ts';

const ORDER = branded<OrderId>('order');

type ReadModels = ReturnType<typeof routeDependencies>['readModels'];

/** What the page of the order says where items of the match are answered like this. */
const saidBy = async (matchItems: ReadModels['matchItems']): Promise<string> => {
  const deps = routeDependencies();
  const readModels: ReadModels = { ...deps.readModels, matchItems };
  const key = { id: 'reader', sha256: '', scopes: new Set(['reports:read'] as const) };
  const found = await itemOfOrder({ ...deps, readModels }, ORDER, { key, personal: 'masked', now: NOW })();
  return String(await orderMatch(ORDER, right(found)));
};

const said = (lines: number): Promise<string> =>
  saidBy((question) => TE.right({ data: [itemWith(ORDER, lines, question)], next: null }));

describe('what an order is matched with, on its page', () => {
  it('is ten lines at the most, and how many there are besides', async () => {
    for (const [lines, shown, more] of [
      [10, 10, null],
      [11, 10, '1'],
      [3_000, 10, '2990'],
    ] as const) {
      const page = await said(lines);
      expect(page.match(/Bank line of/g), `of ${lines}`).to.have.length(shown);
      expect(/And (?<more>\d+) more/.exec(page)?.groups?.['more'] ?? null, `of ${lines}`).to.equal(more);
    }
  });

  it('is said to be unknown while it can not be asked, and nothing is said where nothing is due', async () => {
    const away = await saidBy(() => TE.left({ _tag: 'ReadModelsUnavailable', detail: 'away' }));
    expect(away).to.include('At the bank and on chain').and.include("can't be told now");
    expect(await saidBy(() => TE.right({ data: [], next: null }))).to.equal('null');
  });
});
