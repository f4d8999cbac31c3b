import { branded } from '../../src/domain/brand.ts';
import type { EventId } from '../../src/domain/ids.ts';
import { expect } from 'chai';
import { foldOrder, type OrderState } from '../../projections/order-state/index.ts';
import { instantOf } from '../../src/domain/instant.ts';
import type { StatementLineData } from '../../src/domain/own-event/statement-events.ts';
import { positionAt } from '../../src/domain/position.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import type { StatementLine } from '../../src/domain/statement-line.ts';
import type { ImportedStatement } from '../../src/read-models/bank-questions.ts';
import type { ProjectionBatch } from '../../src/read-models/projection-batch.ts';
import { day, debit } from '../projections/match/match-scene.ts';
import { offRampEvent } from './ledger-events.ts';

const SETTLED = '2026-03-10T10:00:00Z';

/** An order as its events make it: paid, failed or deemed, with a utr or without one. */
export const orderState = (
  orderId: string,
  status: string,
  utr: string | null,
  fiat: number,
  currency = 'INR',
): OrderState => {
  const event = offRampEvent(status, {
    orderId,
    fiat,
    currency,
    updated_at: SETTLED,
    transactionId: `T-${orderId}`,
    ...(utr === null ? {} : { utr }),
  });
  const state = foldOrder([event]);
  if (state === null) throw new Error('an order event makes an order');
  return state;
};

/** A line that is of no file yet. */
export const lineOf = (name: string, over: Partial<StatementLine>): StatementLine => ({
  ...debit(name, over),
  statementId: sha256('file'),
  index: 0,
  valueOn: day('2026-03-10'),
  raw: '',
});

const READING = sha256('reading');

/** The lines of a file, in their order. */
export const linesOfFile = (name: string, lines: readonly StatementLine[]): readonly StatementLineData[] =>
  lines.map((line, index) => ({ ...line, statementId: sha256(name), index, reading: READING }));

/** What is imported of a file of some lines, at a position. */
export const fileOf = (lines: readonly StatementLineData[], at: number): ImportedStatement => {
  const { statementId, account, currency } = lines[0] ?? expect.fail('a file has lines');
  const days = { from: day('2026-03-01'), to: day('2026-03-31') };
  const said = { account, currency, ...days, opening: null, closing: null, lines: lines.length };
  return {
    statementId,
    reading: READING,
    ...said,
    name: null,
    format: 'csv',
    profile: null,
    bytes: 1,
    newLines: lines.length,
    duplicateLines: 0,
    pending: 0,
    accounts: [{ ...said, coveredFrom: days.from, coveredTo: days.to }],
    position: positionAt(at),
    by: 'k',
    at: instantOf(at),
  };
};

/** A batch that ends at a position. */
export const batchOf = (at: number, over: Partial<ProjectionBatch>): ProjectionBatch => ({
  checkpoint: { position: positionAt(at), at: instantOf(at), eventId: branded<EventId>(`e${at}`) },
  events: 1,
  orders: [],
  marks: [],
  quarantine: [],
  match: [],
  bank: [],
  unreadable: [],
  ...over,
});
