import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { HandedQuestion, WrittenReply } from '../../../src/api/handed-question.ts';
import { handOver, handOverPage } from '../../../src/composition/ledger/hand-over.ts';
import { branded } from '../../../src/domain/brand.ts';
import type { RequestId } from '../../../src/domain/ids.ts';
import { sha256 } from '../../../src/domain/sha256.ts';
import { positionAt } from '../../../src/domain/position.ts';
import { noProofLog } from '../../../src/proofs/no-proof-log.ts';
import type { ReadModelsBehind } from '../../../src/read-models/read-models.ts';
import type { HandedPage } from '../../../src/console/handed-page.ts';
import type { WrittenPage } from '../../../src/console/page.ts';
import { NOW } from '../../support/route-dependencies.ts';

const HEAD = positionAt(7);
const REPLY: WrittenReply = { headers: {}, type: 'application/json', bytes: new Uint8Array() };
const BEHIND: ReadModelsBehind = { _tag: 'ReadModelsBehind', detail: 'they do not include it yet' };

const PAGE: WrittenPage = { _tag: 'File', type: 'text/csv', headers: {}, bytes: new Uint8Array() };

const page = (querystring: string): HandedPage => ({
  route: '/console/orders',
  path: '/console/orders',
  querystring,
  form: [],
  session: { id: 'k', sha256: sha256('k'), scopes: ['orders:read'], nonce: 'n', expiresAt: 0 },
  requestId: branded<RequestId>('r'),
  origin: 'http://localhost',
  now: NOW,
  scriptNonce: 'n',
  after: '',
  health: null,
});

const asked = (...texts: HandedQuestion['texts']): HandedQuestion => ({
  path: '/v1/reports/onramp',
  texts,
  scopes: ['reports:read'],
  requestId: branded<RequestId>('r'),
  keyId: 'k',
  prefers: null,
});

/** A thread whose read models lack the head of the log for some questions; how far they were waited for meanwhile. */
const behindFor = (questions: number) => {
  const waitedFor: string[] = [];
  let answered = 0;
  const answer = <A>(reply: A) => {
    answered += 1;
    return Promise.resolve(answered > questions ? E.right(reply) : E.left(BEHIND));
  };
  const parts: Parameters<typeof handOver>[0] = {
    store: { head: () => TE.right(HEAD), parsePosition: () => TE.right(HEAD) },
    readModels: {
      handed: () => answer(REPLY),
      handedPage: () => answer(PAGE),
      includes: (position) => {
        waitedFor.push(position);
        return TE.right(undefined);
      },
    },
    proofs: { handed: () => E.left({ _tag: 'ProofsBehind', detail: null }), including: noProofLog.including },
    secrets: () => ({ webhook: { active: [], retired: [] }, apiKeys: [] }),
    now: () => NOW,
    matchDueDays: 2,
  };
  return { ask: handOver(parts), show: handOverPage(parts), waitedFor, answered: () => answered };
};

describe('a question that is handed to a thread', () => {
  it('is asked again once read models are as far as the log, where it is of a moment that they lacked', async () => {
    const thread = behindFor(1);
    expect(await thread.ask('getOnRampReport', asked(['asOf', '2023-03-01T07:00:00Z']))).to.deep.equal(E.right(REPLY));
    expect(thread.waitedFor).to.deep.equal([HEAD]);
  });

  it('is asked behind the position that a list is to include', async () => {
    for (const list of [
      'listOrders',
      'listStatements',
      'listStatementLines',
      'listReconciliationItems',
      'listQuarantine',
    ]) {
      const thread = behindFor(0);
      expect(await thread.ask(list, asked(['position', 'p']))).to.deep.equal(E.right(REPLY));
      expect(thread.waitedFor, list).to.deep.equal([HEAD]);
    }
  });

  it('is asked again for a page too, where it is of a moment', async () => {
    const thread = behindFor(1);
    expect(await thread.show(page('q=a&asOf=7'))).to.deep.equal(E.right(PAGE));
    expect(thread.waitedFor).to.deep.equal([HEAD]);
    expect(await behindFor(1).show(page('q=asOf'))).to.deep.equal(E.left(BEHIND));
  });

  it('is answered as it is where it is of no moment, and where read models stay behind', async () => {
    const ofNow = behindFor(1);
    expect(await ofNow.ask('listReconciliationItems', asked())).to.deep.equal(E.left(BEHIND));
    const lasting = behindFor(Infinity);
    expect(await lasting.ask('getOnRampReport', asked(['asOf', '7']))).to.deep.equal(E.left(BEHIND));
    expect([ofNow.answered(), lasting.answered()]).to.deep.equal([1, 3]);
  });
});
