import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { branded } from '../../../src/domain/brand.ts';
import { sha256 } from '../../../src/domain/sha256.ts';
import type { BusinessDay } from '../../../src/domain/business-day.ts';
import type { Decimal } from '../../../src/domain/decimal.ts';
import { exactOf, type Exact } from '../../../src/domain/exact.ts';
import type { Position } from '../../../src/domain/ids.ts';
import type { StatementId } from '../../../src/domain/statement-line.ts';
import { filesBetween } from '../../../src/queries/statements/files-between.ts';
import { accountKey } from '../../../src/queries/statements/lines-of-accounts.ts';
import type { ImportedStatement } from '../../../src/read-models/bank-questions.ts';
import type { AccountPart } from '../../../src/statements/account-part.ts';
import { imported } from '../../support/bank-imports.ts';
import { right } from '../../support/right.ts';
import { routeDoubles } from '../../support/route-dependencies.ts';
import { toldStatement } from '../../support/told-bookings.ts';

const DAY = branded<BusinessDay>('2026-09-10');
const turns = (): Promise<void> => Promise.resolve();
const amount = (units: number): Exact => exactOf(branded<Decimal>(String(units)));

/** A file of the day, and of another one before it where it is doubted. */
const part = (from: number, to: number, hasBefore: boolean): AccountPart => {
  const [opening, closing] = [amount(from), amount(to)];
  const file = { opening, closing, from: null, to: null, page: null };
  return new Map([[DAY, { opening, closing, booked: [], datedBackTo: new Set(), file, hasBefore, hasBehind: false }]]);
};

const idOf = (at: number): StatementId => branded<StatementId>(sha256(`file ${at}`));

describe('files that lead from where one ends to where another one begins', () => {
  const asked: (Position | null)[] = [];
  const files = async (count: number): Promise<readonly ImportedStatement[]> => {
    const doubles = routeDoubles();
    await imported(doubles, toldStatement(1_000, 10, [[10, -1, 'FEE']]));
    const [one] = right(await doubles.readModels.statements({ after: null, limit: 1 })()).data;
    return Array.from({ length: count }, (_, at) =>
      one === undefined
        ? []
        : {
            ...one,
            position: branded<Position>(String(at)),
            statementId: idOf(at),
            accounts: one.accounts.map((said) => ({
              ...said,
              opening: branded<Decimal>(String(1_000 - at)),
              closing: branded<Decimal>(`${999 - at}.00`),
            })),
          },
    ).flat();
  };
  const betweenOf = async (count: number, parts: readonly AccountPart[], day = DAY) => {
    const all = await files(count);
    const [said] = all[0]?.accounts ?? [];
    const { readModels } = routeDoubles();
    const deps = {
      readModels: {
        ...readModels,
        statements: ({ after, limit }: { readonly after: Position | null; readonly limit: number }) => {
          asked.push(after);
          const from = after === null ? 0 : Number(after) + 1;
          return TE.right({ data: all.slice(from, from + limit), more: from + limit < all.length });
        },
      },
    };
    const key = said === undefined ? '' : accountKey(said);
    return right(await filesBetween(deps, key, parts, new Set([day]), turns));
  };

  it('are found among all files, page by page, by their balances', async () => {
    const found = await betweenOf(250, [part(1_000, 900, true), part(800, 700, false)]);
    expect(found).to.deep.equal(new Set(Array.from({ length: 100 }, (_, at) => idOf(100 + at))));
    expect(asked.splice(0)).to.deep.equal([null, '99', '199']);
  });

  it('are none of other days, and are not looked for where no file is of several days or dates back', async () => {
    const doubted = [part(1_000, 900, true), part(800, 700, false)];
    expect(await betweenOf(250, [part(1_000, 900, false), part(800, 700, false)])).to.deep.equal(new Set());
    expect(asked.splice(0)).to.deep.equal([]);
    const days = doubted.map((its) => new Map([...its.values()].map((it) => [branded<BusinessDay>('2026-09-12'), it])));
    expect(await betweenOf(250, days, branded<BusinessDay>('2026-09-12'))).to.deep.equal(new Set());
  });
});
