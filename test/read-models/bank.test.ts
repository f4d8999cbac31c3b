import { expect } from 'chai';
import * as fc from 'fast-check';
import { branded } from '../../src/domain/brand.ts';
import type { BaseUnits } from '../../src/domain/decimal.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { ownEvent } from '../../src/domain/own-event/own-event.ts';
import { TRANSFER_OBSERVED } from '../../src/domain/own-event/transfer-events.ts';
import type { LineId } from '../../src/domain/statement-line.ts';
import { transferId } from '../../src/domain/transfer-id.ts';
import type { Address, ChainId, Transfer, TxnHash } from '../../src/domain/transfer.ts';
import { appendOwn } from '../../src/ledger/append-own.ts';
import { BOOKINGS } from '../support/bank-files/booking.ts';
import { AUTHOR, imported, statementOf } from '../support/bank-imports.ts';
import { NaiveBank } from '../support/naive-bank.ts';
import { right } from '../support/right.ts';
import { routeDoubles, type RouteDoubles } from '../support/route-dependencies.ts';
import { runs } from '../support/runs.ts';
import { openSqliteReadModels } from '../support/sqlite-read-models.ts';

/** A file of some bookings that follow each other, or a transfer that is seen once more. */
type Step =
  | { readonly file: readonly [number, number, number] }
  | { readonly hash: number; readonly at: number; readonly block: number };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ file: fc.tuple(fc.nat(3), fc.nat(3), fc.nat(2)) }),
    fc.record({ hash: fc.nat(2), at: fc.nat(3), block: fc.nat(2) }),
  ),
  { maxLength: 12 },
);

const seen = async ({ store }: RouteDoubles, { hash, at, block }: Extract<Step, { hash: number }>): Promise<void> => {
  const parts = {
    chainId: branded<ChainId>(137 + (hash % 2)),
    txnHash: branded<TxnHash>(`0xAB${hash}`),
    token: null,
    to: branded<Address>('0xc0'),
  };
  const transfer: Transfer = {
    ...parts,
    transferId: transferId(parts, 0),
    block,
    confirmations: null,
    status: 'success',
    from: null,
    baseUnits: branded<BaseUnits>('1'),
    amount: null,
    observedAt: instantOf(at * 1_000),
    source: 'file',
  };
  const event = ownEvent(TRANSFER_OBSERVED, transfer, AUTHOR);
  const there = right(await store.readStream(event.stream)());
  if (!there.some(({ id }) => id === event.event.id))
    right(await appendOwn(store, there.at(-1)?.revision ?? 'none', [event])());
};

const play = async (doubles: RouteDoubles, played: readonly Step[]): Promise<void> => {
  for (const step of played) {
    if ('hash' in step) await seen(doubles, step);
    else await imported(doubles, statementOf(BOOKINGS.slice(step.file[0], step.file[0] + step.file[1]), step.file[2]));
  }
};

describe('bank files and transfers in the read models', () => {
  it('are what a look through the log finds, however much was there before the build', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(12), fc.integer({ min: 1, max: 4 }), async (script, split, size) => {
        const doubles = routeDoubles();
        await play(doubles, script.slice(0, split));
        const models = await openSqliteReadModels(doubles.store, 'UTC');
        try {
          await play(doubles, script.slice(split));
          await models.project([size]);
          const naive = new NaiveBank(doubles.store.recorded());
          const all = { after: null, limit: 100 };
          const files = naive.statements(all);
          expect(right(await models.answers.statements(all)())).to.deep.equal(files);
          expect(right(await models.answers.statements({ after: null, limit: 1 })())).to.deep.equal(
            naive.statements({ after: null, limit: 1 }),
          );
          const newest = files.data.toReversed();
          const backwards = { ...all, isNewestFirst: true } as const;
          expect(right(await models.answers.statements(backwards)()).data).to.deep.equal(newest);
          const behindFirst = { ...backwards, after: newest[0]?.position ?? null };
          expect(right(await models.answers.statements(behindFirst)()).data).to.deep.equal(newest.slice(1));
          for (const { statementId } of files.data) {
            for (const after of [null, 0]) {
              const question = { statementId, after, limit: 2 };
              expect(right(await models.answers.statementLines(question)())).to.deep.equal(
                naive.statementLines(question),
              );
            }
            expect(right(await models.answers.statement(statementId)())).to.deep.equal(naive.statement(statementId));
            const ids = naive.statementLines({ statementId, ...all }).data.map(({ lineId }) => lineId);
            const asked = [...ids, branded<LineId>('0'.repeat(64))];
            expect(right(await models.answers.knownLines(asked)())).to.deep.equal(naive.knownLines(asked));
            expect(right(await models.answers.filesOfLines(asked)())).to.deep.equal(naive.filesOfLines(asked));
          }
          for (const chainId of [null, branded<ChainId>(137)]) {
            for (const txnHash of [null, '0xaB1']) {
              const question = { chainId, txnHash, ...all };
              expect(right(await models.answers.transfers(question)())).to.deep.equal(naive.transfers(question));
            }
          }
        } finally {
          await models.close();
        }
      }),
      { numRuns: runs(25) },
    );
  });
});
