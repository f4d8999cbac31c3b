import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../src/domain/brand.ts';
import type { RequestId } from '../../src/domain/ids.ts';
import { ownEvent } from '../../src/domain/own-event/own-event.ts';
import { STATEMENT_IMPORTED, type StatementAccount } from '../../src/domain/own-event/statement-events.ts';
import type { AccountName, CurrencyCode } from '../../src/domain/statement-line.ts';
import { PAGE_BYTES } from '../../src/read-models/page-bytes.ts';
import { PastStates } from '../../src/read-models/touched-orders.ts';
import { answerHanded } from '../../src/threads/answer-handed.ts';
import { listOf } from '../support/asking.ts';
import { AUTHOR } from '../support/bank-imports.ts';
import { importedFile } from '../support/imported-file.ts';
import { right } from '../support/right.ts';
import { NOW, routeDoubles } from '../support/route-dependencies.ts';
import { serveApi, type ServedApi } from '../support/serve-api.ts';
import { openSqliteReadModels } from '../support/sqlite-read-models.ts';
import type { OpenReadModels } from '../read-models/read-models-contract.ts';

const LIST = '/v1/statements';
const SCOPE = 'reports:read';
const FILES = 24;

/** Files of few and of many accounts, and one as older versions imported them, which is larger than a page. */
const accountsOf = (file: number): number => (file === 9 ? 12_000 : file > 17 ? 1 : 1_000);

const account = (i: number): StatementAccount => ({
  account: branded<AccountName>(`account-${i}`.padEnd(200, '0')),
  currency: branded<CurrencyCode>('EUR'),
  from: null,
  to: null,
  opening: null,
  closing: null,
  lines: 0,
  coveredFrom: null,
  coveredTo: null,
});

const importOf = (file: number) => {
  const accounts = Array.from({ length: accountsOf(file) }, (_, i) => account(i));
  return ownEvent(STATEMENT_IMPORTED, importedFile(`file ${file}`, accounts), AUTHOR);
};

describe('pages of bank files', () => {
  it('are made by another thread, where there is one', async () => {
    const handed: string[] = [];
    const api = await serveApi({
      handOver: (routeId) => {
        handed.push(routeId);
        const bytes = new TextEncoder().encode('made elsewhere');
        return Promise.resolve(E.right({ headers: {}, type: 'text/plain', bytes }));
      },
    });
    const answer = await api.ask(LIST, SCOPE);
    expect([answer.status, await answer.text()]).to.deep.equal([200, 'made elsewhere']);
    expect(handed).to.deep.equal(['listStatements']);
    await api.close();
  });

  it('are among what that thread answers', async () => {
    const { store, readModels } = routeDoubles();
    const made = await answerHanded(
      {
        store,
        past: new PastStates(store),
        readModels: right(await readModels.snapshot()()),
        timeZone: 'UTC',
        suspectTree: () => undefined,
      },
      {
        routeId: 'listStatements',
        question: {
          path: LIST,
          texts: [],
          scopes: [SCOPE],
          requestId: branded<RequestId>('r'),
          keyId: 'k',
          prefers: null,
        },
        now: NOW,
        matchDueDays: 2,
        secrets: [],
        log: E.left({ _tag: 'ProofsBehind', detail: null }),
      },
    );
    const { bytes } = right(made ?? expect.fail('it is not answered there'));
    expect(JSON.parse(Buffer.from(bytes).toString())).to.deep.equal({ data: [], next: null });
  });
});

describe('bank files of many accounts', () => {
  let models: OpenReadModels;
  let api: ServedApi;
  before(async () => {
    const { store, readModels } = routeDoubles();
    for (let file = 0; file < FILES; file += 1) {
      const { stream, event } = importOf(file);
      right(await store.append(stream, 'none', [event])());
    }
    models = await openSqliteReadModels(store, 'UTC');
    api = await serveApi({ store, readModels: { ...readModels, ...models.answers } });
  });
  after(async () => {
    await api.close();
    await models.close();
  });

  const names = Array.from({ length: FILES }, (_, file) => `file ${file}`);

  for (const limit of [3, 500]) {
    it(`end a page by their size, and are each on one: ${limit} at the most`, async () => {
      const found: unknown[] = [];
      const sizes: number[] = [];
      for (let behind = '', more = true; more;) {
        const { data, next } = await listOf(api, `${LIST}?limit=${limit}${behind}`, SCOPE);
        expect(data).not.to.deep.equal([]);
        if (data.length > 1) expect(JSON.stringify(data).length).to.be.at.most(PAGE_BYTES);
        found.push(...data.map(({ name }) => name));
        sizes.push(data.length);
        behind = `&cursor=${encodeURIComponent(next ?? '')}`;
        more = next !== null;
      }
      expect(found).to.deep.equal(names);
      expect(sizes.some((size) => size > 1 && size <= limit)).to.equal(true);
      expect(sizes.length).to.be.greaterThan(3);
    });
  }

  it('have the newest first likewise', async () => {
    const page = right(await models.answers.statements({ after: null, limit: 500, isNewestFirst: true })());
    expect(page.more).to.equal(true);
    expect(page.data.map(({ name }) => name)).to.deep.equal(names.toReversed().slice(0, page.data.length));
    const sized = page.data.map((statement) => JSON.stringify(statement).length);
    expect(sized.reduce((sum, size) => sum + size, 0)).to.be.within(PAGE_BYTES / 2, PAGE_BYTES * 1.01);
    const rest = right(await models.answers.statements({ after: null, limit: 6, isNewestFirst: true })());
    expect([rest.data.length, rest.more]).to.deep.equal([6, true]);
  });
});
