import type Database from 'better-sqlite3';
import type { OrderState } from '../../../projections/order-state/index.ts';
import type { ReportCell } from '../../../projections/report/index.ts';
import { branded } from '../../domain/brand.ts';
import { businessCalendar } from '../../domain/business-day.ts';
import type { EventId, OrderId, Position } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import { USUAL_MATCH_SETTINGS } from '../../domain/match-settings.ts';
import type { Month } from '../../domain/month.ts';
import { positionNumber } from '../../domain/position.ts';
import type { LineId, StatementId, StatementLine } from '../../domain/statement-line.ts';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import type {
  FileOfLine,
  ImportedStatement,
  LinesQuestion,
  SeenTransfer,
  StatementsQuestion,
  TransfersQuestion,
} from '../bank-questions.ts';
import { figureMonths } from '../figure-months.ts';
import type { LogStep } from '../log-steps.ts';
import type {
  MatchDecidable,
  MatchDecidableQuestion,
  MatchItemsQuestion,
  MatchPage,
  MatchSummary,
  MatchSummaryQuestion,
} from '../match-questions.ts';
import type { OrderFilter } from '../order-filter.ts';
import type { ProjectedOrder } from '../projected-order.ts';
import type {
  AuditQuestion,
  CellsAnswer,
  Checkpoint,
  Included,
  OrdersPage,
  OrdersQuestion,
  Page,
  Quarantined,
  QuarantineQuestion,
  ReportAnswer,
  ReportQuestion,
  Tallies,
} from '../read-models.ts';
import { generationStatements } from '../statements/generation-statements.ts';
import { AuditTable } from './audit-table.ts';
import { linesBehind } from './match/bank-match.ts';
import { BankTables } from './match/bank-tables.ts';
import { stampOf } from './generation.ts';
import { includedIn } from './included-event.ts';
import { MatchQuery } from './match/match-query.ts';
import { OrderList } from './orders/order-list.ts';
import { OrderNumbers } from './orders/order-numbers.ts';
import { storedOrder } from './orders/order-table.ts';
import { QuarantineTable } from './quarantine-table.ts';
import { ReportQuery } from './reports/report-query.ts';
import { StepTable } from './reports/step-table.ts';
import { TallyQuery } from './reports/tally-query.ts';
import type { TermEntry } from './terms/term-entries.ts';
import { TermIndex } from './terms/term-index.ts';
import { termOf } from './terms/term.ts';

const pageOf = <A>(found: readonly A[], limit: number): Page<A> => ({
  data: found.slice(0, limit),
  more: found.length > limit,
});

function* refsOf(entries: Iterable<TermEntry>): Generator<number, void> {
  for (const { ref } of entries) yield ref;
}

/** Everything that one generation of the read models answers, each answer from one state of it. */
export class Queries {
  readonly #database: Database.Database;
  readonly #timeZone: string;
  readonly #sql: SqliteStatements;
  readonly #orders: OrderList;
  readonly #report: ReportQuery;
  readonly #steps: StepTable;
  readonly #numbers: OrderNumbers;
  readonly #audit: AuditTable;
  readonly #auditTerms: TermIndex;
  readonly #quarantine: QuarantineTable;
  readonly #bank: BankTables;
  readonly #tallies: TallyQuery;
  readonly #match: MatchQuery;

  constructor(database: Database.Database, timeZone: string, settings = USUAL_MATCH_SETTINGS) {
    this.#database = database;
    this.#timeZone = timeZone;
    this.#sql = new SqliteStatements(database);
    this.#report = new ReportQuery(database);
    this.#steps = new StepTable(database);
    this.#numbers = new OrderNumbers(database);
    this.#orders = new OrderList(database, businessCalendar(timeZone), this.#numbers);
    this.#audit = new AuditTable(database);
    this.#auditTerms = new TermIndex(database, 'audit');
    this.#quarantine = new QuarantineTable(database);
    this.#bank = new BankTables(database);
    this.#tallies = new TallyQuery(database);
    this.#match = new MatchQuery(database, businessCalendar(timeZone), settings);
  }

  checkpoint(): Checkpoint | null {
    const row = this.#sql.get(generationStatements.checkpoint, {});
    return row === undefined ? null : { position: branded<Position>(row.position), at: branded<Instant>(row.at) };
  }

  /** The last event that it includes, which says whose log it is of; null: none. */
  included(): Included | null {
    return includedIn(this.#sql);
  }

  /** The stamp of the generation that is open (see `stampOf`). */
  stamp(): number {
    return stampOf(this.#database);
  }

  orders(question: OrdersQuestion): OrdersPage<OrderState> {
    return this.#inOneState(() => this.#orders.page(question));
  }

  /** The same page, each order as the text that is stored. */
  orderTexts(question: OrdersQuestion): OrdersPage<string> {
    return this.#inOneState(() => this.#orders.texts(question));
  }

  /** A page of a list without some orders. */
  ordersWithout(question: OrdersQuestion, isLeftOut: (orderId: OrderId) => boolean): Page<OrderState> {
    return this.#inOneState(() => this.#orders.pageWithout(question, isLeftOut));
  }

  ordersAtMost(filter: OrderFilter): number {
    return this.#inOneState(() => this.#orders.atMost(filter));
  }

  ordersWithUtr(utr: string): readonly OrderId[] {
    return this.#inOneState(() => this.#orders.withUtr(utr));
  }

  report(question: ReportQuestion): ReportAnswer {
    return this.#inOneState(() => ({
      ...this.#report.report(question),
      timeZone: this.#timeZone,
      asOf: this.checkpoint(),
    }));
  }

  cells(question: ReportQuestion): CellsAnswer {
    return this.#inOneState(() => ({
      cells: [...this.#report.cells(question)],
      timeZone: this.#timeZone,
      asOf: this.checkpoint(),
    }));
  }

  figureMonths(): readonly Month[] {
    return this.#inOneState(() => figureMonths((question) => this.#report.cells(question)));
  }

  /** The steps of the log, up to the checkpoint. */
  steps(): readonly LogStep[] {
    return this.#steps.all();
  }

  /** What the cells of a report changed by in steps, from one number to another. */
  cellsOfSteps(question: ReportQuestion, first: number, last: number): readonly ReportCell[] {
    return [...this.#steps.cells(question, first, last)];
  }

  get timeZone(): string {
    return this.#timeZone;
  }

  /** An order as it is kept; null where there is none. */
  order(orderId: OrderId): ProjectedOrder | null {
    const row = this.#numbers.row(orderId);
    return row === null ? null : storedOrder(row).order;
  }

  auditPositions({ term, after, limit, ...filter }: AuditQuestion): Page<Position> {
    const behind = after === null ? -1 : positionNumber(after);
    return this.#inOneState(() => {
      if (term === null) return pageOf(this.#audit.find(filter, behind, limit + 1), limit);
      const found: Position[] = [];
      // An event is found twice by a term that is two things of it: a request id may be the body's digest.
      for (const position of this.#audit.among(refsOf(this.#auditTerms.find(termOf(term), behind + 1)), filter)) {
        found.push(position);
        if (found.length > limit) break;
      }
      return pageOf(found, limit);
    });
  }

  quarantine({ state, after, limit }: QuarantineQuestion): Page<Quarantined> {
    return this.#quarantine.page(state, after, limit);
  }

  quarantined(eventId: EventId): Quarantined | null {
    return this.#quarantine.get(eventId);
  }

  quarantinedOf(text: string): readonly Position[] {
    return this.#quarantine.positionsOf(text);
  }

  matchSummary(question: MatchSummaryQuestion): MatchSummary {
    return this.#inOneState(() => ({
      rows: this.#match.summary(question),
      hasStatements: this.#match.hasStatements(),
      due: this.#match.due(),
      asOf: this.checkpoint(),
    }));
  }

  matchItems(question: MatchItemsQuestion): MatchPage {
    return this.#inOneState(() => this.#match.items(question));
  }

  matchDecidable(question: MatchDecidableQuestion): MatchDecidable {
    return this.#inOneState(() => this.#match.decidable(question));
  }

  statements(question: StatementsQuestion): Page<ImportedStatement> {
    return this.#bank.statements(question);
  }

  statement(statementId: StatementId): ImportedStatement | null {
    return this.#bank.statement(statementId);
  }

  statementLines({ limit, ...question }: LinesQuestion): Page<StatementLine> {
    return pageOf(linesBehind(this.#bank, { ...question, limit: limit + 1 }), limit);
  }

  knownLines(ids: readonly LineId[]): readonly LineId[] {
    return this.#inOneState(() => this.#bank.knownLines(ids));
  }

  filesOfLines(ids: readonly LineId[]): readonly FileOfLine[] {
    return this.#inOneState(() => this.#bank.filesOfLines(ids));
  }

  transfers({ limit, ...question }: TransfersQuestion): Page<SeenTransfer> {
    return pageOf(this.#bank.transfers({ ...question, limit: limit + 1 }), limit);
  }

  tallies(now: Instant): Tallies {
    return this.#inOneState(() => ({ ...this.#tallies.tallies(now), quarantined: this.#quarantine.open() }));
  }

  /** Makes a part of what later questions are answered quicker by, in about a millisecond. Whether more may be left. */
  prepare(): boolean {
    return this.#orders.prepare() || this.#auditTerms.prepare() || this.#numbers.prepare();
  }

  /** Several statements, one state: what is applied meanwhile is not seen. */
  #inOneState<A>(ask: () => A): A {
    return this.#database.transaction(ask).deferred();
  }
}
