import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { ItemId } from '../../../projections/match/item-id.ts';
import { nodeOf, type MatchNode, type NodeName } from '../../../projections/match/node.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { matchItemResource, type MatchItemResource } from './match-item-resource.ts';
import type { MatchDependencies } from './reconciliation.ts';

type Sum = { readonly amount: string; readonly currency: string | null };

/** What a decision is about, by its first order; without any, by its first bank line. */
export type DecidedItem = {
  /** What it comes to: the whole item where it still is what it was, else what is named; null for a transfer alone. */
  readonly sum: Sum | null;
  readonly orderId: string | null;
  readonly line: { readonly bookedOn: string | null; readonly reference: string | null } | null;
  /** Further ones of its kind. */
  readonly more: number;
};

const TRANSFER_ALONE: DecidedItem = { sum: null, orderId: null, line: null, more: 0 };

const described = (
  item: MatchItemResource,
  named: MatchNode,
  { whole, more }: { readonly whole: ItemId; readonly more: number },
): DecidedItem | null => {
  const all: Sum = { amount: item.fiat, currency: item.currency };
  if (named.kind === 'order') {
    const its = item.orders.find(({ orderId }) => orderId === named.id)?.fiat ?? null;
    return { sum: item.itemId === whole || its === null ? all : its, orderId: named.id, line: null, more };
  }
  const line = item.lines.find(({ lineId }) => lineId === named.id);
  if (line === undefined) return null;
  const { amount, currency, bookedOn, references } = line;
  const sum: Sum = item.itemId === whole ? all : { amount, currency };
  return { sum, orderId: null, line: { bookedOn, reference: references[0] ?? null }, more };
};

/** What the decision in force on an item is about, whatever the item has become by it; null where there is none. */
export const decidedItem =
  ({ readModels, calendar, matchDueDays, now }: MatchDependencies, personal: PersonalData) =>
  (itemId: ItemId): TE.TaskEither<QueryFailure, DecidedItem | null> => {
    const about = (members: readonly NodeName[]): TE.TaskEither<QueryFailure, DecidedItem | null> => {
      const nodes = members.map(nodeOf);
      const named = nodes.find(({ kind }) => kind === 'order') ?? nodes.find(({ kind }) => kind === 'line');
      if (named === undefined) return TE.right(TRANSFER_ALONE);
      const more = nodes.filter(({ kind }) => kind === named.kind).length - 1;
      return pipe(
        readModels.matchItems({
          filter: { from: null, to: null, currency: null, flow: null, account: null },
          state: null,
          rule: null,
          code: null,
          orderId: named.kind === 'order' ? named.id : null,
          lineId: named.kind === 'line' ? named.id : null,
          day: { today: calendar.dayOf(now()), dueDays: matchDueDays },
          after: null,
          limit: 1,
          // What is asked for by name comes first.
          mostOfEach: 1,
        }),
        TE.map(({ data: [item] }) =>
          item === undefined ? null : described(matchItemResource(item, personal), named, { whole: itemId, more }),
        ),
      );
    };
    return pipe(
      readModels.matchDecidable({ itemId, ids: [] }),
      TE.mapLeft((failure): QueryFailure => failure),
      TE.chain(({ decision }) => (decision === null ? TE.right(null) : about([...decision.group, ...decision.apart]))),
    );
  };
