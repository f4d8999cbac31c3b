import type Database from 'better-sqlite3';
import type { Today } from '../../../../projections/match/awaited-state.ts';
import { orderFact, transferFact, type NodeFact } from '../../../../projections/match/decided-facts.ts';
import { orderDigestOf, type ItemId } from '../../../../projections/match/item-id.ts';
import { OPEN_STATES, type MatchItem } from '../../../../projections/match/match-item.ts';
import { lineNode, nodeOf, orderNode, transferNode, type NodeName } from '../../../../projections/match/node.ts';
import type { Calendar } from '../../../domain/business-day.ts';
import { parseExact, ZERO } from '../../../domain/exact.ts';
import { isOrderId } from '../../../domain/ids.ts';
import type { MatchSettings } from '../../../domain/match-settings.ts';
import { positionAt } from '../../../domain/position.ts';
import { isLineId } from '../../../domain/statement-line.ts';
import { TransferIdText } from '../../../domain/transfer.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { stateOfClass, type MatchClass } from '../../match-class.ts';
import { hasAll, isInState, isWithin } from '../../match-filters.ts';
import { isBehind, listedItem, mergedLists, type Listed } from '../../match-list.ts';
import type {
  MatchDay,
  MatchDecidable,
  MatchDecidableQuestion,
  MatchDue,
  MatchItemsQuestion,
  MatchPage,
  MatchPlace,
  MatchSum,
  MatchSummaryQuestion,
  ShownItem,
} from '../../match-questions.ts';
import { MatchSums } from '../../match-sums.ts';
import { PageBytes } from '../../page-bytes.ts';
import { present } from '../../present.ts';
import { evidenceStatements, itemStatements, largeStatements } from '../../statements/match-statements.ts';
import { TermIndex } from '../terms/term-index.ts';
import { termOf } from '../terms/term.ts';
import { AwaitedItems } from './awaited-items.ts';
import { ItemRows } from './item-rows.ts';
import { matchClasses } from './match-classes.ts';
import { dayOf, FIRST_DAY, LAST_DAY } from './match-days.ts';
import { MatchEvidence } from './match-evidence.ts';
import { SearchedItems, type Searched } from './searched-items.ts';
import { shownItem } from './shown-item.ts';
import { StoredItems } from './stored-items.ts';

/** A page ends where it comes to so many times what is asked for of each kind of an item. */
const LARGE_PAGE = 10;

/** Whether items of a class may be such that somebody has to look. */
const isPerhapsOpen = ([, { state }]: readonly [id: number, its: MatchClass]): boolean =>
  state === 'awaited' || OPEN_STATES.has(state);

/** An order that nothing was found for stands in its list by its number, and is told by its id. */
const lastingPlace = (place: MatchPlace, { members }: ShownItem): MatchPlace => {
  const [order] = place.list === 'awaited' ? members.map(nodeOf) : [];
  return order === undefined ? place : { ...place, key: order.id };
};

/** What an item comes to, by what may be long of it: a bank may say very much of a booking. */
const charactersOf = ({ lines }: ShownItem): number =>
  lines.reduce(
    (sum, { text, raw, references, ownReferences = [] }) =>
      sum + text.length + raw.length + references.join('').length + ownReferences.join('').length,
    0,
  );

/** What is asked of the match of one generation. */
export class MatchQuery {
  readonly #sql: SqliteStatements;
  readonly #evidence: MatchEvidence;
  readonly #orderIds: TermIndex;
  readonly #itemIds: TermIndex;
  readonly #rows: ItemRows;
  readonly #stored: StoredItems;
  readonly #awaited: AwaitedItems;
  readonly #searched: SearchedItems;

  constructor(database: Database.Database, calendar: Calendar, settings: MatchSettings) {
    this.#sql = new SqliteStatements(database);
    this.#evidence = new MatchEvidence(database, calendar);
    this.#orderIds = new TermIndex(database, 'id');
    this.#itemIds = new TermIndex(database, 'item');
    this.#rows = new ItemRows(this.#sql, this.#evidence);
    this.#stored = new StoredItems(this.#sql, this.#rows);
    this.#awaited = new AwaitedItems(this.#sql, this.#evidence, calendar, settings);
    this.#searched = new SearchedItems(this.#sql, this.#evidence, this.#rows);
  }

  summary({ filter, day, onlyOpen }: MatchSummaryQuestion): readonly MatchSum[] {
    const today = this.#today(day);
    const sums = new MatchSums(day.today);
    const classes = matchClasses(this.#sql);
    const bounds = { first_day: filter.from ?? FIRST_DAY, last_day: filter.to ?? LAST_DAY };
    const cells =
      onlyOpen === true
        ? [...classes]
            .filter(isPerhapsOpen)
            .flatMap(([id]) => this.#sql.all(itemStatements.cellsOfClass, { class: id, ...bounds }))
        : this.#sql.iterate(itemStatements.cells, bounds);
    for (const cell of cells) {
      const its = classes.get(cell.class);
      if (its === undefined || !hasAll(its, filter)) continue;
      const on = dayOf(cell.day);
      const state = stateOfClass(its, on, today);
      if (state === null || (onlyOpen === true && !OPEN_STATES.has(state))) continue;
      sums.add(its, state, on, { items: cell.items, fiat: parseExact(cell.fiat) ?? ZERO });
    }
    return sums.all();
  }

  hasStatements(): boolean {
    return this.#sql.get(evidenceStatements.anyCover, {}) !== undefined || this.due() !== null;
  }

  due(): MatchDue | null {
    const file = this.#sql.get(evidenceStatements.firstDue, {})?.position ?? Infinity;
    const waiting = this.#sql.one(largeStatements.firstWaiting, {});
    const first = Math.min(file, waiting.position ?? Infinity);
    if (first === Infinity) return null;
    const { lines } = this.#sql.one(evidenceStatements.dueLines, {});
    return { position: positionAt(first), lines: lines + waiting.nodes };
  }

  items(question: MatchItemsQuestion): MatchPage {
    const { filter, day, state, rule, code, orderId, lineId, search, limit } = question;
    const { mostOfEach = Infinity, skipOfEach = 0 } = question;
    const today = this.#today(day);
    const after = this.#placeHere(question.after);
    const { listed, namedIn } = this.#asked({ ...question, after }, today);
    const isAsked = (shown: ShownItem): boolean =>
      isWithin(shown.day, filter) &&
      hasAll(shown, filter) &&
      isInState(shown.state, shown.flow, state) &&
      (rule === null || shown.rule === rule) &&
      (code === null || shown.breaks.some((it) => it.code === code)) &&
      (orderId === null || (isOrderId(orderId) && shown.members.includes(orderNode(orderId)))) &&
      (lineId === null || (isLineId(lineId) && shown.members.includes(lineNode(lineId))));
    const found: { readonly place: MatchPlace; readonly shown: ShownItem }[] = [];
    const bytes = new PageBytes();
    let [members, hasMore] = [0, false];
    for (const { place, item } of listed) {
      if (after !== null && !isBehind(place, after)) continue;
      const its = item();
      if (its === null || !hasAll(its, filter)) continue;
      const named = namedIn(its);
      if (search !== undefined && named.size === 0) continue;
      const shown = shownItem(this.#evidence, its, today, { mostOfEach, skipOfEach, named });
      if (shown === null || !isAsked(shown)) continue;
      hasMore = found.length === limit || members >= LARGE_PAGE * mostOfEach || !bytes.takes(charactersOf(shown));
      if (hasMore) break;
      found.push({ place, shown });
      members += shown.orders.length + shown.lines.length + shown.transfers.length;
    }
    this.#evidence.forget();
    const last = found.at(-1);
    const next = !hasMore || last === undefined ? null : lastingPlace(last.place, last.shown);
    return { data: found.map(({ shown }) => shown), next };
  }

  /** A place as it is told, among the rows of this generation: a build numbers orders anew, in the same order, that of their first events. */
  #placeHere(place: MatchPlace | null): MatchPlace | null {
    if (place?.list !== 'awaited') return place;
    const no = isOrderId(place.key) ? this.#evidence.orderNumber(place.key) : null;
    return { ...place, key: String(no ?? 0) };
  }

  decidable({ itemId, ids }: MatchDecidableQuestion): MatchDecidable {
    const item = this.#itemOf(itemId);
    const named = ids.map((id) => {
      const name = this.#nodeOf(id);
      if (name === null) return null;
      const its = this.#itemWith(name);
      // What is ambiguous does not come along: a decision picks one out of it.
      return { name, companions: its === null || its.state === 'ambiguous' ? [] : its.members };
    });
    const decision = this.#evidence.decision(itemId) ?? item?.decision ?? null;
    const names = new Set([
      ...(item?.members ?? []),
      ...named.flatMap((it) => (it === null ? [] : [it.name, ...it.companions])),
    ]);
    const facts = [...names].flatMap((name) => this.#factOf(name));
    this.#evidence.forget();
    return { item, decision, named, facts };
  }

  #factOf(name: NodeName): readonly NodeFact[] {
    const node = nodeOf(name);
    if (node.kind === 'order') return present(this.#evidence.order(node.id)).map(orderFact);
    return node.kind === 'transfer' ? present(this.#evidence.transfer(node.id)).map(transferFact) : [];
  }

  #today({ today, dueDays }: MatchDay): Today {
    return {
      today,
      dueDays,
      covered: this.#sql
        .all(evidenceStatements.covered, {})
        .map(({ currency, first_day, last_day }) => ({ currency, from: dayOf(first_day), to: dayOf(last_day) })),
      chains: new Set(this.#sql.all(evidenceStatements.chains, {}).map(({ chain_id }) => chain_id)),
    };
  }

  /** What may be asked for, in the order of lists, and what of it is asked for by name. */
  #asked(
    question: MatchItemsQuestion,
    today: Today,
  ): Pick<Searched, 'namedIn'> & { readonly listed: Iterable<Listed> } {
    const { orderId, lineId, search } = question;
    if (search !== undefined) return this.#searched.find(search);
    const names = [
      ...(orderId !== null && isOrderId(orderId) ? [orderNode(orderId)] : []),
      ...(lineId !== null && isLineId(lineId) ? [lineNode(lineId)] : []),
    ];
    const named = new Set(names);
    const namedIn = (): ReadonlySet<NodeName> => named;
    if (orderId === null && lineId === null)
      return {
        listed: mergedLists([...this.#stored.lists(question), ...this.#awaited.lists(question, today)]),
        namedIn,
      };
    const [name] = names;
    const item = name === undefined ? null : this.#itemWith(name);
    return { listed: present(item).map(listedItem), namedIn };
  }

  #itemWith(name: NodeName): MatchItem | null {
    const row = this.#rows.rowWith(name);
    if (row !== null) return this.#rows.at(row);
    const node = nodeOf(name);
    const no = node.kind === 'order' ? this.#evidence.orderNumber(node.id) : null;
    return no === null ? null : this.#awaited.at(no);
  }

  #itemOf(itemId: ItemId): MatchItem | null {
    for (const no of this.#itemIds.refs(termOf(itemId))) {
      const item = this.#rows.at(no, itemId);
      if (item !== null) return item;
    }
    for (const no of this.#orderIds.refs(orderDigestOf(itemId))) {
      const item = this.#awaited.at(no);
      if (item?.itemId === itemId) return item;
    }
    return null;
  }

  #nodeOf(id: string): NodeName | null {
    if (isLineId(id) && this.#evidence.line(id) !== null) return lineNode(id);
    if (TransferIdText.is(id) && this.#evidence.transfer(id) !== null) return transferNode(id);
    return isOrderId(id) && this.#evidence.order(id) !== null ? orderNode(id) : null;
  }
}
