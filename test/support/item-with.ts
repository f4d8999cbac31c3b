import { breakOf } from '../../projections/match/break.ts';
import { itemIdOf } from '../../projections/match/item-id.ts';
import { lineNode, orderNode } from '../../projections/match/node.ts';
import { branded } from '../../src/domain/brand.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import type { StatementId } from '../../src/domain/statement-line.ts';
import type { MatchItemsQuestion, ShownItem } from '../../src/read-models/match-questions.ts';
import { day, debit, decimal } from '../projections/match/match-scene.ts';

/** An item of an order with so many lines, as it is answered to a question. */
export const itemWith = (order: OrderId, lines: number, { mostOfEach }: MatchItemsQuestion): ShownItem => {
  const all = Array.from({ length: lines }, (_, index) => ({
    ...debit(`l${index}`),
    statementId: branded<StatementId>(sha256('file')),
    index,
    valueOn: day('2026-03-10'),
    raw: '',
  }));
  const members = [orderNode(order), ...all.map(({ lineId }) => lineNode(lineId))];
  return {
    itemId: itemIdOf(members),
    members,
    flow: 'offramp',
    currency: 'INR',
    accounts: ['ACC-1'],
    day: day('2026-03-10'),
    fiat: decimal('100'),
    state: 'ambiguous',
    rule: 'amount-and-day',
    breaks: [breakOf('ambiguous', 'amount', { order: '1', bank: String(lines) })],
    decision: null,
    ageDays: 0,
    orders: [],
    lines: all.slice(0, mostOfEach),
    transfers: [],
  };
};
