import { expect } from 'chai';
import { answerHandedPage } from '../../src/console/handed-page.ts';
import { branded } from '../../src/domain/brand.ts';
import type { RequestId } from '../../src/domain/ids.ts';
import type { MatchItemsQuestion } from '../../src/read-models/match-questions.ts';
import { right } from '../support/right.ts';
import { NOW, routeDependencies } from '../support/route-dependencies.ts';

/** By which references of lines the match was looked through for a text. */
const referencesFor = async (text: string): Promise<readonly (string | undefined)[]> => {
  const deps = routeDependencies();
  const asked: MatchItemsQuestion[] = [];
  const readModels: typeof deps.readModels = {
    ...deps.readModels,
    matchItems: (question) => {
      asked.push(question);
      return deps.readModels.matchItems(question);
    },
  };
  const made = await answerHandedPage(
    { ...deps, readModels },
    {
      route: '/console/reconciliation',
      path: '/console/reconciliation',
      querystring: new URLSearchParams({ text }).toString(),
      form: [],
      session: { id: 'reader', sha256: '', scopes: ['reports:read'], nonce: '', expiresAt: 0 },
      requestId: branded<RequestId>('r'),
      origin: 'http://localhost',
      now: NOW,
      scriptNonce: '',
      after: '',
    },
  );
  if (made === null) return expect.fail('it is no large page');
  right(made);
  return asked.map(({ reference }) => reference);
};

describe('a text at the match', () => {
  it('is taken for a reference of lines, unless that would be shown masked', async () => {
    for (const text of ['INV-1', '@INV-1', 'INV 1']) expect(await referencesFor(text), text).to.deep.equal([text]);
    for (const text of ['asha@bank', 'asha%40bank', 'asha\uff20bank', 'asha&#64;bank'])
      expect(await referencesFor(text), text).to.deep.equal([undefined]);
  });
});
