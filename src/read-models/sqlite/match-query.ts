import type Database from 'better-sqlite3';
import { ageClass, daysBetween, type AgeClass } from '../../../projections/match/ageing.ts';
import { awaitedState, daysInStates, type Today } from '../../../projections/match/awaited-state.ts';
import type { BreakCode } from '../../../projections/match/break.ts';
import { orderFact, transferFact, type NodeFact } from '../../../projections/match/decided-facts.ts';
import { orderDigestOf, type ItemId } from '../../../projections/match/item-id.ts';
import {
  isUnmatched,
  itemOfOrderAlone,
  MATCH_STATES,
  OPEN_STATES,
  type MatchItem,
  type MatchState,
} from '../../../projections/match/match-item.ts';
import type { MatchSettings } from '../../domain/match-settings.ts';
import { lineNode, nodeOf, orderNode, transferNode, type NodeName } from '../../../projections/match/node.ts';
import { parseBusinessDay, type BusinessDay, type Calendar } from '../../domain/business-day.ts';
import { branded } from '../../domain/brand.ts';
import type { Decimal } from '../../domain/decimal.ts';
import { parseExact, plainText, plus, ZERO, type Exact } from '../../domain/exact.ts';
import type { Flow } from '../../domain/flow.ts';
import { isOrderId, type Position } from '../../domain/ids.ts';
import { isLineId } from '../../domain/statement-line.ts';
import { TransferIdText } from '../../domain/transfer.ts';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import { awaitedOfClass, readClass, type MatchClass } from '../match-class.ts';
import type {
  AskedState,
  MatchDay,
  MatchDecidable,
  MatchDue,
  MatchDecidableQuestion,
  MatchFilter,
  MatchItemsQuestion,
  MatchPage,
  MatchPlace,
  MatchSum,
  MatchSummaryQuestion,
  ShownItem,
} from '../match-questions.ts';
import { evidenceStatements, itemStatements } from '../statements/match-statements.ts';
import { readItem } from '../stored-match.ts';
import { MatchEvidence } from './match-evidence.ts';
import { TermIndex } from './term-index.ts';

const FIRST_DAY = '';
const LAST_DAY = '9999-12-31';
const NOTHING = branded<Decimal>('0');

/** What is at a place of a list, to be looked at more closely. */
type Listed = { readonly place: MatchPlace; readonly item: () => MatchItem | null };

/** Of one day orders that nothing was found for come first. */
const isBehind = (a: MatchPlace, b: MatchPlace): boolean => {
  if (a.day !== b.day) return a.day > b.day;
  if (a.list !== b.list) return a.list > b.list;
  return a.list === 'awaited' ? Number(a.key) > Number(b.key) : a.key > b.key;
};

/** Lists that are each in order, as one. */
function* merged(lists: readonly Iterator<Listed>[]): Generator<Listed, void> {
  const heads = lists.map((list) => list.next());
  for (;;) {
    let least = -1;
    let found: Listed | null = null;
    for (const [i, head] of heads.entries()) {
      if (head.done !== true && (found === null || isBehind(found.place, head.value.place)))
        [least, found] = [i, head.value];
    }
    const list = lists[least];
    if (found === null || list === undefined) return;
    yield found;
    heads[least] = list.next();
  }
}

const hasAll = (
  { flow, currency, accounts }: Pick<MatchItem, 'flow' | 'currency' | 'accounts'>,
  filter: MatchFilter,
): boolean =>
  (filter.flow === null || flow === filter.flow) &&
  (filter.currency === null || currency === filter.currency) &&
  (filter.account === null || accounts.includes(filter.account));

const isWithin = (day: string, { from, to }: MatchFilter): boolean =>
  (from === null || day >= from) && (to === null || day <= to);

const noAges = (): Record<AgeClass, number> => ({ '0-1': 0, '2-3': 0, '4-7': 0, '8-30': 0, '30+': 0 });

const dayOf = (text: string): BusinessDay => {
  const day = parseBusinessDay(text);
  if (day === null) throw new Error('a day of the match is damaged; run "ramp-ledger replay"');
  return day;
};

type Counting = Omit<MatchSum, 'items' | 'fiat' | 'ageing'> & {
  items: number;
  fiat: Exact;
  readonly ageing: Record<AgeClass, number>;
};

const inOrder = (a: MatchSum, b: MatchSum): number => {
  const [x, y] = [a, b].map(({ flow, currency, state }) =>
    JSON.stringify([flow ?? '~', currency ?? '~', MATCH_STATES.indexOf(state)]),
  );
  return x === y || x === undefined || y === undefined ? 0 : x < y ? -1 : 1;
};

/** States that orders may be in that nothing was found for. */
const AWAITED_AS = ['expected', 'unmatched-order'] as const;

/** Whether an order that nothing was found for may have this break in this state. */
const mayHave = (state: (typeof AWAITED_AS)[number], code: BreakCode | null): boolean =>
  code === null || (code === 'timing') === (state === 'expected');

/** Rows that are read at a time. */
const PAGE = 128;

/** Lines that a reference leads to: one that many lines have names none of them. */
const MOST_NAMED = 1_000;

const present = <A>(it: A | null): readonly A[] => (it === null ? [] : [it]);

/** The state of the items of a class on a day; null where they are held against nothing yet. */
const stateOfClass = (its: MatchClass, day: BusinessDay, today: Today): MatchState | null => {
  if (its.state !== 'awaited') return its.state;
  const awaited = awaitedOfClass(its, NOTHING);
  return awaited === null ? null : (awaitedState(awaited, day, today)?.state ?? null);
};

const isInState = (state: MatchState, flow: Flow | null, asked: AskedState | null): boolean => {
  if (asked === 'open') return OPEN_STATES.has(state);
  return asked === null || (asked === 'unmatched' ? isUnmatched(state, flow) : state === asked);
};

/** What of the items that stand in rows may be in one of several states that are asked for together; null: that is one state, or all. */
const storedStates = (asked: AskedState | null): readonly MatchState[] | null => {
  if (asked === 'open') return [...OPEN_STATES];
  return asked === 'unmatched' ? ['unmatched-line', 'ambiguous', 'unmatched-order'] : null;
};

/** What is asked of the match of one generation. */
export class MatchQuery {
  readonly #sql: SqliteStatements;
  readonly #evidence: MatchEvidence;
  readonly #ids: TermIndex;
  readonly #calendar: Calendar;
  readonly #settings: MatchSettings;

  constructor(database: Database.Database, calendar: Calendar, settings: MatchSettings) {
    this.#sql = new SqliteStatements(database);
    this.#evidence = new MatchEvidence(database, calendar);
    this.#ids = new TermIndex(database, 'id');
    this.#calendar = calendar;
    this.#settings = settings;
  }

  summary({ filter, day }: MatchSummaryQuestion): readonly MatchSum[] {
    const today = this.#today(day);
    const sums = new Map<string, Counting>();
    const classes = this.#classes();
    const bounds = { first_day: filter.from ?? FIRST_DAY, last_day: filter.to ?? LAST_DAY };
    for (const cell of this.#sql.iterate(itemStatements.cells, bounds)) {
      const its = classes.get(cell.class);
      if (its === undefined || !hasAll(its, filter)) continue;
      const on = dayOf(cell.day);
      const state = stateOfClass(its, on, today);
      if (state === null) continue;
      const key = JSON.stringify([its.flow, its.currency, state]);
      const known = sums.get(key);
      const sum = known ?? { flow: its.flow, currency: its.currency, state, items: 0, fiat: ZERO, ageing: noAges() };
      sum.items += cell.items;
      sum.fiat = plus(sum.fiat, parseExact(cell.fiat) ?? ZERO);
      sum.ageing[ageClass(daysBetween(on, day.today))] += cell.items;
      if (known === undefined) sums.set(key, sum);
    }
    return [...sums.values()].map((sum) => ({ ...sum, fiat: plainText(sum.fiat) })).toSorted(inOrder);
  }

  hasStatements(): boolean {
    return this.#sql.get(evidenceStatements.anyCover, {}) !== undefined || this.due() !== null;
  }

  due(): MatchDue | null {
    const first = this.#sql.get(evidenceStatements.firstDue, {});
    if (first === undefined) return null;
    const { lines } = this.#sql.one(evidenceStatements.dueLines, {});
    return { position: branded<Position>(String(first.position)), lines };
  }

  items(question: MatchItemsQuestion): MatchPage {
    const { filter, day, state, rule, code, orderId, lineId, reference, after, limit } = question;
    const today = this.#today(day);
    const isAsked = (shown: ShownItem): boolean =>
      isWithin(shown.day, filter) &&
      hasAll(shown, filter) &&
      isInState(shown.state, shown.flow, state) &&
      (rule === null || shown.rule === rule) &&
      (code === null || shown.breaks.some((it) => it.code === code)) &&
      (orderId === null || shown.orders.some((it) => it.orderId === orderId)) &&
      (lineId === null || shown.lines.some((it) => it.lineId === lineId)) &&
      (reference === undefined || shown.lines.some((it) => it.references.includes(reference)));
    const found: { readonly place: MatchPlace; readonly shown: ShownItem }[] = [];
    for (const { place, item } of this.#listed(question)) {
      if (after !== null && !isBehind(place, after)) continue;
      const its = item();
      const shown = its === null || !hasAll(its, filter) ? null : this.#shown(its, today);
      if (shown === null || !isAsked(shown)) continue;
      found.push({ place, shown });
      if (found.length > limit) break;
    }
    this.#evidence.forget();
    const data = found.slice(0, limit);
    return {
      data: data.map(({ shown }) => shown),
      next: found.length > limit ? (data.at(-1)?.place ?? null) : null,
    };
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

  #classes(): ReadonlyMap<number, MatchClass> {
    const classes = new Map<number, MatchClass>();
    for (const { id, class: key } of this.#sql.all(itemStatements.classes, {})) {
      const its = readClass(key);
      if (its !== null) classes.set(id, its);
    }
    return classes;
  }

  /** What may be asked for, in the order of lists. */
  #listed(question: MatchItemsQuestion): Iterable<Listed> {
    const { orderId, lineId, reference } = question;
    if (reference !== undefined) return this.#ofReference(reference);
    const names = [
      ...(orderId !== null && isOrderId(orderId) ? [orderNode(orderId)] : []),
      ...(lineId !== null && isLineId(lineId) ? [lineNode(lineId)] : []),
    ];
    if (orderId === null && lineId === null)
      return merged([...this.#storedLists(question), ...this.#awaitedLists(question)]);
    const [name] = names;
    const item = name === undefined ? null : this.#itemWith(name);
    return item === null ? [] : [{ place: { day: item.day, list: 'items', key: item.itemId }, item: () => item }];
  }

  #ofReference(reference: string): readonly Listed[] {
    const found = this.#evidence.linesWithReference(reference).slice(0, MOST_NAMED);
    const ids = new Set(
      found.flatMap(({ lineId }) => this.#sql.get(itemStatements.itemWith, { name: lineNode(lineId) })?.item_id ?? []),
    );
    return [...ids]
      .map((item_id) => readItem(this.#sql.one(itemStatements.get, { item_id }).body))
      .map((item): Listed => ({ place: { day: item.day, list: 'items', key: item.itemId }, item: () => item }))
      .toSorted((a, b) => (isBehind(b.place, a.place) ? -1 : 1));
  }

  /** Items of several states stand in a list for each; where something else chooses them, that is the list. */
  #storedLists(question: MatchItemsQuestion): readonly Iterator<Listed>[] {
    const { state, code, rule } = question;
    const states = storedStates(state);
    if (states === null) return [this.#storedItems(question, state)];
    if (code !== null || rule !== null) return [this.#storedItems(question, null)];
    return states.map((one) => this.#storedItems(question, one));
  }

  *#storedItems(question: MatchItemsQuestion, state: AskedState | null): Generator<Listed, void> {
    const { filter, after } = question;
    let behind = { day: filter.from ?? FIRST_DAY, item_id: '', last_day: filter.to ?? LAST_DAY };
    if (after !== null && after.day >= behind.day) {
      behind = { ...behind, day: after.day, item_id: after.list === 'items' ? after.key : '' };
    }
    const stored = state === 'expected' || state === 'unmatched-order' ? 'awaited' : state;
    if (filter.flow === null && filter.currency === null && filter.account === null) {
      yield* this.#storedWithin(question, stored, behind);
      return;
    }
    for (const day of this.#daysWith(filter, stored, behind)) {
      const item_id = day === behind.day ? behind.item_id : '';
      yield* this.#storedWithin(question, stored, { day, item_id, last_day: day });
    }
  }

  /** Days on which there is anything of a filter: what other days have would be read for nothing. */
  #daysWith(
    filter: MatchFilter,
    stored: string | null,
    { day: first_day, last_day }: { readonly day: string; readonly last_day: string },
  ): readonly string[] {
    const classes = this.#classes();
    const days = new Set<string>();
    for (const cell of this.#sql.iterate(itemStatements.cells, { first_day, last_day })) {
      const its = classes.get(cell.class);
      if (its !== undefined && hasAll(its, filter) && (stored === null || its.state === stored)) days.add(cell.day);
    }
    return [...days].toSorted();
  }

  *#storedWithin(
    { code, rule }: MatchItemsQuestion,
    stored: string | null,
    within: { readonly day: string; readonly item_id: string; readonly last_day: string },
  ): Generator<Listed, void> {
    // Rows are read some at a time, so that the connection is free for what is read of each.
    let behind = within;
    const most = PAGE;
    for (;;) {
      const rows =
        code !== null
          ? this.#sql.all(itemStatements.ofBreak, { code, ...behind, most })
          : rule !== null
            ? this.#sql.all(itemStatements.ofRule, { rule, ...behind, most })
            : stored !== null
              ? this.#sql.all(itemStatements.ofState, { state: stored, ...behind, most })
              : this.#sql.all(itemStatements.all, { ...behind, most });
      for (const { item_id, day, body } of rows) {
        yield { place: { day: dayOf(day), list: 'items', key: item_id }, item: () => readItem(body) };
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < most) return;
      behind = { ...behind, day: last.day, item_id: last.item_id };
    }
  }

  /** Orders that nothing was found for, a list for each class that may be asked for. */
  #awaitedLists({ filter, day, state, rule, code, after }: MatchItemsQuestion): readonly Iterator<Listed>[] {
    const isOtherCode = code !== null && code !== 'timing' && code !== 'missing-at-bank' && code !== 'missing-on-chain';
    if (isOtherCode || rule !== null || filter.account !== null) return [];
    const today = this.#today(day);
    return [...this.#classes()]
      .filter(([, its]) => hasAll(its, filter))
      .flatMap(([id, its]) => {
        const awaited = awaitedOfClass(its, NOTHING);
        const states = AWAITED_AS.filter((one) => isInState(one, its.flow, state) && mayHave(one, code));
        const days = awaited === null ? null : daysInStates(awaited, states, today);
        if (days === null) return [];
        const from = filter.from === null || (days.since ?? FIRST_DAY) > filter.from ? days.since : filter.from;
        const isAsked = (on: BusinessDay): boolean => {
          const becomes = stateOfClass(its, on, today);
          return becomes !== null && states.some((one) => one === becomes);
        };
        return [this.#awaitedOf(id, { ...filter, from }, after, isAsked)];
      });
  }

  *#awaitedOf(
    id: number,
    { from, to }: MatchFilter,
    after: MatchPlace | null,
    isAsked: (day: BusinessDay) => boolean,
  ): Generator<Listed, void> {
    let behind = { class: id, day: from ?? FIRST_DAY, no: 0, last_day: to ?? LAST_DAY };
    if (after !== null && after.day >= behind.day) {
      behind = {
        ...behind,
        day: after.day,
        no: after.list === 'awaited' ? Number(after.key) : Number.MAX_SAFE_INTEGER,
      };
    }
    for (;;) {
      const rows = this.#sql.all(itemStatements.awaitedOf, { ...behind, most: PAGE });
      for (const row of rows) {
        const day = dayOf(row.day);
        if (!isAsked(day)) {
          // No order of this day is: the list goes on with the next.
          behind = { ...behind, day: row.day, no: Number.MAX_SAFE_INTEGER };
          break;
        }
        behind = { ...behind, day: row.day, no: row.no };
        yield { place: { day, list: 'awaited', key: String(row.no) }, item: () => this.#alone(row.no) };
      }
      if (rows.length === 0 || (rows.length < PAGE && behind.no !== Number.MAX_SAFE_INTEGER)) return;
    }
  }

  #alone(no: number): MatchItem | null {
    const order = this.#evidence.orderAt(no);
    return order === null ? null : itemOfOrderAlone(order, this.#settings, this.#calendar);
  }

  #itemWith(name: NodeName): MatchItem | null {
    const found = this.#sql.get(itemStatements.itemWith, { name });
    if (found !== undefined) return readItem(this.#sql.one(itemStatements.get, found).body);
    const node = nodeOf(name);
    const no = node.kind === 'order' ? this.#evidence.orderNumber(node.id) : null;
    return no === null || this.#sql.get(itemStatements.awaitedAt, { no }) === undefined ? null : this.#alone(no);
  }

  #itemOf(itemId: ItemId): MatchItem | null {
    const found = this.#sql.get(itemStatements.get, { item_id: itemId });
    if (found !== undefined) return readItem(found.body);
    for (const no of this.#ids.refs(orderDigestOf(itemId))) {
      const item = this.#sql.get(itemStatements.awaitedAt, { no }) === undefined ? null : this.#alone(no);
      if (item?.itemId === itemId) return item;
    }
    return null;
  }

  #nodeOf(id: string): NodeName | null {
    if (isLineId(id) && this.#evidence.line(id) !== null) return lineNode(id);
    if (TransferIdText.is(id) && this.#evidence.transfer(id) !== null) return transferNode(id);
    return isOrderId(id) && this.#evidence.order(id) !== null ? orderNode(id) : null;
  }

  /** An item as of a day; null where it is held against nothing yet. */
  #shown({ awaited, ...item }: MatchItem, today: Today): ShownItem | null {
    const becomes = awaited === null ? null : awaitedState(awaited, item.day, today);
    if (awaited !== null && becomes === null) return null;
    const nodes = item.members.map(nodeOf);
    const state: MatchState = item.state === 'awaited' ? (becomes?.state ?? 'matched') : item.state;
    return {
      ...item,
      state,
      breaks: [...item.breaks, ...(becomes?.breaks ?? [])],
      ageDays: daysBetween(item.day, today.today),
      orders: nodes.flatMap((node) => (node.kind === 'order' ? present(this.#evidence.order(node.id)) : [])),
      lines: nodes.flatMap((node) => (node.kind === 'line' ? present(this.#evidence.line(node.id)) : [])),
      transfers: nodes.flatMap((node) => (node.kind === 'transfer' ? present(this.#evidence.transfer(node.id)) : [])),
    };
  }
}
