import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { answerHandedPage } from '../../src/console/handed-page.ts';
import { branded } from '../../src/domain/brand.ts';
import type { RequestId } from '../../src/domain/ids.ts';
import type { MatchItemsQuestion } from '../../src/read-models/match-questions.ts';
import type { ReadModels } from '../../src/read-models/read-models.ts';
import { played, type Step } from '../read-models/sqlite/match-steps.ts';
import { lineOf } from '../support/match-batches.ts';
import { right } from '../support/right.ts';
import { NOW, routeDependencies } from '../support/route-dependencies.ts';

type Asked = { readonly items: MatchItemsQuestion[]; readonly orders: Parameters<ReadModels['orders']>[0][] };

/** What the read models are asked for a text. */
const askedFor = async (
  text: string,
  scopes: readonly string[] = ['reports:read'],
  over: Partial<ReadModels> = {},
): Promise<Asked> => {
  const deps = routeDependencies();
  const asked: Asked = { items: [], orders: [] };
  const models = { ...deps.readModels, ...over };
  const readModels: typeof deps.readModels = {
    ...models,
    matchItems: (question) => {
      asked.items.push(question);
      return models.matchItems(question);
    },
    orders: (question) => {
      asked.orders.push(question);
      return models.orders(question);
    },
  };
  const made = await answerHandedPage(
    { ...deps, readModels },
    {
      route: '/console/reconciliation/search',
      path: '/console/reconciliation/search',
      querystring: '',
      form: [['text', text]],
      session: { id: 'reader', sha256: '', scopes, nonce: '', expiresAt: 0 },
      requestId: branded<RequestId>('r'),
      origin: 'http://localhost',
      now: NOW,
      scriptNonce: '',
      after: '',
      health: null,
    },
  );
  if (made === null) return expect.fail('it is no large page');
  right(made);
  return asked;
};

describe('a text at the match', () => {
  it('is taken for a reference of lines, unless that would be shown masked', async () => {
    const searched = async (text: string) => (await askedFor(text)).items.map(({ search }) => search);
    for (const text of ['INV-1', '@INV-1', 'INV 1'])
      expect(await searched(text), text).to.deep.equal([{ reference: text, personal: false }]);
    for (const text of ['asha@bank', 'asha%40bank', 'asha\uff20bank', 'asha&#64;bank'])
      expect(await searched(text), text).to.deep.equal([undefined]);
  });

  it('is looked for among all references by those alone who may see them', async () => {
    const { items } = await askedFor('INV-1', ['reports:read', 'pii:read']);
    expect(items.map(({ search }) => search)).to.deep.equal([{ reference: 'INV-1', personal: true }]);
  });

  it('is asked for once, however many lines have it that its reader is not told', async () => {
    const lines = Array.from({ length: 100 }, (_, i): Step => {
      return { kind: 'line', line: lineOf(`l${i}`, { references: ['Meera Iyer'], text: 'Meera Iyer' }) };
    });
    const database = new Database(':memory:');
    try {
      const queries = played(lines, database);
      const matchItems: ReadModels['matchItems'] = (question) => TE.fromIO(() => queries.matchItems(question));
      expect((await askedFor('Meera Iyer', ['reports:read'], { matchItems })).items).to.have.length(1);
    } finally {
      database.close();
    }
  });

  it('finds an order by what the match shows of it for whoever may not read orders, of which no more than one is looked at', async () => {
    const searches = async (...scopes: readonly string[]) =>
      (await askedFor('cust-1', scopes)).orders.map(({ filter: { q }, limit }) => [q?.inMatch, limit]);
    expect(await searches('reports:read')).to.deep.equal([[true, 1]]);
    expect(await searches('reports:read', 'orders:read')).to.deep.equal([[undefined, 1]]);
  });
});
