import * as TE from 'fp-ts/lib/TaskEither.js';
import { expect } from 'chai';
import { answerHandedPage } from '../../../src/console/handed-page.ts';
import { branded } from '../../../src/domain/brand.ts';
import type { OrderId, RequestId } from '../../../src/domain/ids.ts';
import { matchList, parseMatchList } from '../../../src/queries/reconciliation/match-items.ts';
import type { MatchItemsQuestion } from '../../../src/read-models/match-questions.ts';
import { itemWith } from '../../support/item-with.ts';
import { right } from '../../support/right.ts';
import { NOW, routeDependencies } from '../../support/route-dependencies.ts';

const LINES = 3_000;

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

/** Dependencies of a ledger whose match is one large item, and what was asked of it. */
const largeItem = () => {
  const deps = routeDependencies();
  const asked: MatchItemsQuestion[] = [];
  const readModels: typeof deps.readModels = {
    ...deps.readModels,
    matchItems: (question) => {
      asked.push(question);
      return TE.right({ data: [itemWith(branded<OrderId>('order'), LINES, question)], next: null });
    },
  };
  return { deps: { ...deps, readModels }, asked };
};

describe('an item of thousands of lines', () => {
  it('is answered five hundred lines at a time, and says how many it has', async () => {
    const { deps, asked } = largeItem();
    for (const skip of [null, 500]) {
      const question = right(await parseMatchList(deps)({ ...NOTHING_ASKED, skip })());
      const [item] = right(await matchList(deps, 'masked')(question)()).data;
      expect(item?.counts).to.deep.equal({ orders: 1, lines: LINES, transfers: 0 });
      expect(item?.lines).to.have.length(500);
    }
    expect(asked.map(({ mostOfEach, skipOfEach }) => [mostOfEach, skipOfEach])).to.deep.equal([
      [500, 0],
      [500, 500],
    ]);
  });

  it('is shown by twenty lines on its page, which leads to all of them', async () => {
    const { deps } = largeItem();
    const made = await answerHandedPage(deps, {
      route: '/console/reconciliation',
      path: '/console/reconciliation',
      querystring: '',
      form: [],
      session: { id: 'reader', sha256: '', scopes: ['reports:read'], nonce: '', expiresAt: 0 },
      requestId: branded<RequestId>('r'),
      origin: 'http://localhost',
      now: NOW,
      scriptNonce: '',
      after: '',
      health: null,
    });
    const answer = right(made ?? expect.fail('it is no large page'));
    if (answer._tag !== 'Document') expect.fail(answer._tag);
    const page = Buffer.from(answer.bytes).toString();
    expect(page.match(/<li>line /g)).to.have.length(20);
    // Digits are copied as they are: groups of them are set apart by space alone.
    const text = page.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
    expect(text).to.include('Bank 3000 lines').and.include('2980 lines more are not shown');
    expect(text, 'how many fit is no money').to.include('1 order, 3000 bank lines');
    expect(page).to.match(/href=.{1,3}\/console\/files\/reconciliation\?lineId=[0-9a-f]{64}&amp;format=csv/);
  });
});
