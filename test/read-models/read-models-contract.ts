import { expect } from 'chai';
import * as fc from 'fast-check';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ReportCell } from '../../projections/report/index.ts';
import { branded } from '../../src/domain/brand.ts';
import { businessCalendar } from '../../src/domain/business-day.ts';
import type { EventId, Position } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { QUARANTINE_STATES } from '../../src/domain/quarantine-state.ts';
import { momentOfAnswers } from '../../src/queries/periods/period-cells.ts';
import { quarantineState } from '../../src/queries/quarantine/quarantine-resource.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import type { PartedLog } from '../../src/event-store/parted-log.ts';
import { EVERY_ORDER } from '../../src/read-models/order-filter.ts';
import type { CellsAnswer, OrderPlace } from '../../src/read-models/read-models.ts';
import { playedLedger } from '../support/ledger-script.ts';
import { NaiveAnswers } from '../support/naive-answers.ts';
import {
  auditPicks,
  parseAuditList,
  beside,
  orderPicks,
  orderQuestion,
  reportPicks,
  reportQuestion,
  singleFilters,
  universeOf,
} from '../support/questions.ts';
import { right } from '../support/right.ts';
import { runs } from '../support/runs.ts';
import { clockQuestions, logs, shown, some, type Log } from './contract-cases.ts';
import { joined, joinedOrders, placeOf, type Answers } from './joined-pages.ts';

/** Read models over a log, opened for one check; they begin with what is in it then. */
export type OpenReadModels = {
  readonly answers: Answers;
  /** Includes all that is in the log now, in batches of these sizes. */
  readonly project: (sizes: readonly number[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** What every implementation of the read models answers, whatever it included in which batches. */
export const readModelsContract = (
  name: string,
  open: (store: EventStore & PartedLog, timeZone: string) => Promise<OpenReadModels>,
): void => {
  const naively = async (store: EventStore, timeZone: string): Promise<NaiveAnswers> => {
    const events = await Array.fromAsync(store.readAll(null), right);
    return new NaiveAnswers(events, businessCalendar(timeZone));
  };

  const played = async (
    { steps, split, timeZone, sizes }: Log,
    check: (answers: Answers, naive: NaiveAnswers) => Promise<void>,
  ): Promise<void> => {
    const ledger = playedLedger();
    await ledger.play(steps.slice(0, split));
    const models = await open(ledger.store, timeZone);
    try {
      await ledger.play(steps.slice(split));
      await models.project(sizes);
      await check(models.answers, await naively(ledger.store, timeZone));
    } finally {
      await models.close();
    }
  };

  describe(`read models: ${name}`, () => {
    it('list orders as a look through all of them does, page by page', async () => {
      await fc.assert(
        fc.asyncProperty(logs, some(orderPicks), fc.nat(1000), async (log, picks, at) => {
          await played(log, async (answers, naive) => {
            const universe = universeOf(naive, log.timeZone);
            const now = universe.now[at % universe.now.length] ?? instantOf(0);
            const questions = [
              ...picks.map((pick) => orderQuestion(pick, universe)),
              ...singleFilters(universe).map((filter) => ({ filter, now, limit: 1 + (at % 7) })),
              ...clockQuestions(naive),
            ];
            for (const question of questions) {
              expect(await joinedOrders(answers, question), JSON.stringify(question)).to.deep.equal(
                naive.listed(question.filter, question.now),
              );
              const whole = { ...question, after: null, counted: true };
              for (const asked of [whole, { ...whole, withoutSums: true as const }]) {
                const { total } = right(await answers.orders(asked)());
                expect(total, JSON.stringify(asked)).to.deep.equal(naive.orders(asked).total);
              }
            }
          });
        }),
        { numRuns: runs(20) },
      );
    });

    it('list orders from any place on, as they are at the time of each page', async () => {
      await fc.assert(
        fc.asyncProperty(logs, orderPicks, fc.integer({ min: 1, max: 3 }), async (log, picks, limit) => {
          const { steps, split, timeZone, sizes } = log;
          const ledger = playedLedger();
          await ledger.play(steps.slice(0, split));
          const models = await open(ledger.store, timeZone);
          try {
            const universe = universeOf(await naively(ledger.store, timeZone), timeZone);
            const { filter, now } = orderQuestion(picks, universe);
            const seen: OrderPlace[] = [];
            for (let [next, more] = [split, true]; more; next += 2) {
              const after = seen.at(-1) ?? null;
              const page = right(await models.answers.orders({ filter, now, limit, after, counted: true })());
              const naive = await naively(ledger.store, timeZone);
              expect(page).to.deep.equal(naive.orders({ filter, now, limit, after, counted: true }));
              seen.push(...page.data.map(placeOf));
              more = page.more;
              await ledger.play(steps.slice(next, next + 2));
              await models.project(sizes);
            }
            const places = new Set(seen.map((place) => JSON.stringify(place)));
            expect(places.size).to.equal(seen.length);
          } finally {
            await models.close();
          }
        }),
        { numRuns: runs(20) },
      );
    });

    it('find the orders of a reference, by any event that has it', async () => {
      await fc.assert(
        fc.asyncProperty(logs, async (log) => {
          await played(log, async (answers, naive) => {
            for (const utr of new Set([...naive.utrs, 'nowhere', 'order', '\ud800'])) {
              expect(right(await answers.ordersWithUtr(utr)())).to.have.members(naive.ordersWithUtr(utr));
            }
          });
        }),
        { numRuns: runs(15) },
      );
    });

    it('report what all orders come to', async () => {
      await fc.assert(
        fc.asyncProperty(logs, some(reportPicks), async (log, picks) => {
          await played(log, async (answers, naive) => {
            const { day } = universeOf(naive, log.timeZone);
            const last = naive.events.at(-1);
            const asOf = last === undefined ? null : { position: last.position, at: last.recordedAt };
            for (const question of picks.map((pick) => reportQuestion(pick, day))) {
              const report = right(await answers.report(question)());
              expect(shown(report), JSON.stringify(question)).to.deep.equal(shown(naive.report(question)));
              expect([report.asOf, report.timeZone]).to.deep.equal([asOf, log.timeZone]);
            }
            expect(right(await answers.figureMonths()())).to.have.members(naive.figureMonths());
            const cells: ReportCell[] = [];
            const told = TE.map((its: CellsAnswer) => (cells.push(...its.cells), its));
            const moment = momentOfAnswers({ cells: (question) => told(answers.cells(question)) }, branded('2023-03'));
            expect([right(await moment()), cells]).to.deep.equal([{ checkpoint: asOf }, []]);
          });
        }),
        { numRuns: runs(20) },
      );
    });

    it('answer as of any moment what they answered then', async () => {
      await fc.assert(
        fc.asyncProperty(
          logs,
          fc.array(fc.nat(60), { minLength: 1, maxLength: 4 }),
          fc.array(orderPicks, { minLength: 5, maxLength: 5 }),
          fc.array(reportPicks, { minLength: 8, maxLength: 8 }),
          async (log, moments, ofOrders, ofReports) => {
            await played(log, async (answers, naive) => {
              const universe = universeOf(naive, log.timeZone);
              for (const moment of moments) {
                const event = naive.events[moment % (naive.events.length + 1)];
                const checkpoint = event === undefined ? null : { position: event.position, at: event.recordedAt };
                const asOf = { checkpoint };
                const then = naive.at(asOf);
                for (const question of ofReports.map((pick) => reportQuestion(pick, universe.day))) {
                  const report = right(await answers.report({ ...question, asOf })());
                  const about = JSON.stringify({ question, asOf });
                  expect(shown(report), about).to.deep.equal(shown(then.report(question)));
                  expect([report.asOf, report.timeZone]).to.deep.equal([checkpoint, log.timeZone]);
                }
                for (const question of ofOrders.map((pick) => orderQuestion(pick, universe))) {
                  const about = JSON.stringify({ question, asOf });
                  const listed = then.listed(question.filter, question.now);
                  expect(await joinedOrders(answers, { ...question, asOf }), about).to.deep.equal(listed);
                  const whole = { ...question, after: null, counted: true };
                  for (const asked of [whole, { ...whole, withoutSums: true as const }]) {
                    const { total } = right(await answers.orders({ ...asked, asOf })());
                    expect(total, about).to.deep.equal(then.orders(asked).total);
                  }
                }
                const [from, until] = [universe.now[0] ?? instantOf(0), universe.now.at(-1) ?? instantOf(0)];
                for (const later of [naive.events.length - 1, moment % naive.events.length, moment + 3]) {
                  const last = naive.events[later] ?? naive.events.at(-1);
                  const upTo = {
                    checkpoint: last === undefined ? null : { position: last.position, at: last.recordedAt },
                  };
                  const changes = { asOf, upTo, from, until };
                  expect(right(await answers.changes(changes)())).to.have.deep.members(naive.changes(changes));
                }
              }
            });
          },
        ),
        { numRuns: runs(12) },
      );
    });

    it('find events by type, receipt and term, in the order of the log', async () => {
      await fc.assert(
        fc.asyncProperty(logs, some(auditPicks), async (log, picks) => {
          await played(log, async (answers, naive) => {
            const universe = universeOf(naive, log.timeZone);
            for (const question of picks.map((pick) => parseAuditList(pick, universe))) {
              const page = right(await answers.auditPositions(question)());
              expect(page, JSON.stringify(question)).to.deep.equal(naive.auditPositions(question));
            }
          });
        }),
        { numRuns: runs(20) },
      );
    });

    it('list the quarantine and what became of it', async () => {
      await fc.assert(
        fc.asyncProperty(logs, fc.integer({ min: 1, max: 4 }), async (log, limit) => {
          await played(log, async (answers, naive) => {
            const all = naive.quarantine({ state: null, after: null, limit: Infinity }).data;
            for (const state of [null, ...QUARANTINE_STATES]) {
              const pages = joined(
                async (after: Position | null) => right(await answers.quarantine({ state, after, limit })()),
                limit,
                ({ position }) => position,
              );
              expect(await pages).to.deep.equal(all.filter((one) => state === null || quarantineState(one) === state));
            }
            for (const one of all) {
              expect(right(await answers.quarantined(one.eventId)())).to.deep.equal(one);
            }
            for (const orderId of new Set([...all, ...naive.states].map((one) => one.orderId))) {
              if (orderId === null) continue;
              expect(right(await answers.quarantinedOf(orderId)())).to.deep.equal(naive.quarantinedOf(orderId));
            }
          });
        }),
        { numRuns: runs(20) },
      );
    });

    it('count orders by status and anomaly, and the quarantine, as a look through all of them does', async () => {
      await fc.assert(
        fc.asyncProperty(logs, fc.nat(1000), async (log, at) => {
          await played(log, async (answers, naive) => {
            const universe = universeOf(naive, log.timeZone);
            const clocks = naive.states.flatMap(({ clockAnomaly }) =>
              clockAnomaly === null ? [] : [clockAnomaly.after],
            );
            for (const now of [universe.now[at % universe.now.length] ?? instantOf(0), ...clocks.flatMap(beside)]) {
              const { orders, ...counts } = right(await answers.tallies(now)());
              const { orders: expected, ...others } = naive.tallies(now);
              expect(orders).to.have.deep.members(expected);
              expect(counts).to.deep.equal(others);
            }
          });
        }),
        { numRuns: runs(20) },
      );
    });

    it('answer without any event', async () => {
      const models = await open(playedLedger().store, 'UTC');
      try {
        const { answers } = models;
        const question = { filter: EVERY_ORDER, after: null, limit: 5, now: instantOf(0), counted: true };
        expect(right(await answers.orders(question)())).to.deep.equal({
          data: [],
          more: false,
          total: { orders: 0, atLeast: false, byCurrency: [] },
        });
        const report = { flow: 'onramp', basis: 'created', from: null, to: null, groupBy: [] } as const;
        expect(right(await answers.report(report)())).to.deep.equal({
          rows: [],
          totals: [],
          timeZone: 'UTC',
          asOf: null,
        });
        expect(right(await answers.quarantined(branded<EventId>('none'))())).to.equal(null);
        expect(right(await answers.quarantinedOf('none')())).to.deep.equal([]);
        expect(right(await answers.ordersWithUtr('U1')())).to.deep.equal([]);
        expect(right(await answers.tallies(instantOf(0))())).to.deep.include({
          orders: [],
          quarantined: 0,
        });
      } finally {
        await models.close();
      }
    });
  });
};
