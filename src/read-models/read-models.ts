import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { OrderState } from '../../projections/order-state/index.ts';
import type { Basis, GroupKey, Report, ReportCell } from '../../projections/report/index.ts';
import type { BusinessDay } from '../domain/business-day.ts';
import type { Flow } from '../domain/flow.ts';
import type { EventId, OrderId, Position, SecretId, Sha256, StreamName } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import type { Month } from '../domain/month.ts';
import type { QuarantineState } from '../domain/quarantine-state.ts';
import type { Reason } from '../domain/reason.ts';
import type {
  MatchDecidable,
  MatchDecidableQuestion,
  MatchItemsQuestion,
  MatchPage,
  MatchSummary,
  MatchSummaryQuestion,
} from './match-questions.ts';
import type { LineId, StatementId, StatementLine } from '../domain/statement-line.ts';
import type {
  FileOfLine,
  ImportedStatement,
  LinesQuestion,
  SeenTransfer,
  StatementsQuestion,
  TransfersQuestion,
} from './bank-questions.ts';
import type { OrderFilter } from './order-filter.ts';
import type { OrderTotal } from './order-sums.ts';
import type { OrderTallies } from './order-tallies.ts';

/** The last event that read models include. `at`: when it was recorded, so that the same position always has the same time. */
export type Checkpoint = { readonly position: Position; readonly at: Instant };

/** A checkpoint, and which event of the log it is: by this a generation is held to the log that it is said to be of. */
export type Included = Checkpoint & { readonly eventId: EventId };

/**
 * The read models can't be asked now: they are being built, or their database fails. The question may be asked again.
 * `isFar`: it is of a moment so far back that the answer is still being made. `isStoreAway`: the event store is away, and there
 * are none that can be believed without it. `isUnawaited`: whoever asked hung up, so that nothing was made.
 */
export type ReadModelsUnavailable = {
  readonly _tag: 'ReadModelsUnavailable';
  readonly detail: string;
  readonly isFar?: true;
  readonly isStoreAway?: true;
  readonly isUnawaited?: true;
};

/** More than so many orders have events between a moment and every state that is at hand: no list of it is made. */
export type MomentTooFar = { readonly _tag: 'MomentTooFar'; readonly most: number };

/** They did not get as far as a position in time. */
export type ReadModelsBehind = { readonly _tag: 'ReadModelsBehind'; readonly detail: string };

type Answer<A> = TE.TaskEither<ReadModelsUnavailable, A>;

/** What may be of a moment, and is made of orders then. */
type AnswerOfOrders<A> = TE.TaskEither<ReadModelsUnavailable | MomentTooFar, A>;

/** Where an order stands in lists, which are ordered by both, the greatest first; ids by their UTF-8 bytes. */
export type OrderPlace = { readonly createdAt: Instant; readonly orderId: OrderId };

/** One page of a list; `more`: whether anything comes after it. */
export type Page<A> = { readonly data: readonly A[]; readonly more: boolean };

/** What was known at a moment of the log: up to this event; null: before the first one. */
export type AsOf = { readonly checkpoint: Checkpoint | null };

export type OrdersQuestion = {
  readonly filter: OrderFilter;
  /** The page begins behind this place. */
  readonly after: OrderPlace | null;
  readonly limit: number;
  /** Decides which clock anomalies are there. */
  readonly now: Instant;
  /** Whether the whole list is counted and summed too. */
  readonly counted: boolean;
  /** Its `byCurrency` is left empty: of thousands of currencies it is far more than the number of orders. */
  readonly withoutSums?: true;
  /** Absent: what is known now. */
  readonly asOf?: AsOf;
};

/** A page of a list of orders; `total`: of all its pages, null where it was not asked for. */
export type OrdersPage<A> = Page<A> & { readonly total: OrderTotal | null };

export type ReportQuestion = {
  readonly flow: Flow;
  readonly basis: Basis;
  readonly from: BusinessDay | null;
  readonly to: BusinessDay | null;
  readonly groupBy: readonly GroupKey[];
  /** Absent: what is known now. */
  readonly asOf?: AsOf;
};

/** `asOf`: null before the first event. */
export type ReportAnswer = Report & { readonly timeZone: string; readonly asOf: Checkpoint | null };

/** What a report is made of; several cells may be of one period and class. */
export type CellsAnswer = {
  readonly cells: readonly ReportCell[];
  readonly timeZone: string;
  readonly asOf: Checkpoint | null;
};

/**
 * Which orders have changed between two moments of the log, of those that were created or settled within a stretch of
 * time, at either of them.
 */
export type ChangesQuestion = {
  readonly asOf: AsOf;
  /** The later moment; it is included already. */
  readonly upTo: AsOf;
  readonly from: Instant;
  /** Exclusive. */
  readonly until: Instant;
};

/** An order that has changed; null: it was not there. `eventIds`: of what came in between, in its order. */
export type ChangedOrder = {
  readonly orderId: OrderId;
  readonly before: OrderState | null;
  readonly now: OrderState | null;
  readonly eventIds: readonly EventId[];
};

/** Which events an audit list may be of; null: all. Instants are inclusive. */
export type AuditFilter = {
  readonly type: string | null;
  readonly from: Instant | null;
  readonly to: Instant | null;
};

export type AuditQuestion = AuditFilter & {
  /** Event id, body digest or request id, exactly. */
  readonly term: string | null;
  readonly after: Position | null;
  readonly limit: number;
};

/** Who closed a quarantined delivery, when and why. */
export type Closing = {
  /** Its `QuarantineClosed`. */
  readonly eventId: EventId;
  readonly at: Instant;
  /** The id of the API key, or `command-line`. */
  readonly by: string;
  readonly note: string;
};

/** An authentic delivery that no order event could be read from (docs/spec/http.md, Quarantine). */
export type Quarantined = {
  readonly eventId: EventId;
  readonly position: Position;
  readonly stream: StreamName;
  readonly receivedAt: Instant;
  readonly secretId: SecretId;
  readonly bodySha256: Sha256;
  readonly reasons: readonly Reason[];
  readonly orderId: OrderId | null;
  /** The order event that it became; null as long as it is none. */
  readonly releasedAs: EventId | null;
  /** Null as long as nobody closed it, and where it was opened again. */
  readonly closed: Closing | null;
};

export type QuarantineQuestion = {
  /** Null: whatever became of it. */
  readonly state: QuarantineState | null;
  readonly after: Position | null;
  readonly limit: number;
};

/** What read models hold, counted. `quarantined`: what is in quarantine and was neither released nor closed. */
export type Tallies = OrderTallies & { readonly quarantined: number };

/** How far the read models are. `building`: the share of a first or new build that is done, 0 to 1; null: none is under way. */
type ReadModelsProgress = { readonly checkpoint: Checkpoint | null; readonly building: number | null };

/** What is answered from projections of the whole log, up to a checkpoint. */
export type ReadModels = {
  /** Waits until everything up to a position is included, at the longest so many milliseconds. */
  readonly includes: (
    position: Position,
    withinMs: number,
  ) => TE.TaskEither<ReadModelsBehind | ReadModelsUnavailable, void>;

  readonly orders: (question: OrdersQuestion) => AnswerOfOrders<OrdersPage<OrderState>>;

  /** Positions of every order that an event with this utr belongs to are found through its orders. */
  readonly ordersWithUtr: (utr: string) => Answer<readonly OrderId[]>;

  readonly report: (question: ReportQuestion) => Answer<ReportAnswer>;

  /** What the same report is made of. */
  readonly cells: (question: ReportQuestion) => Answer<CellsAnswer>;

  /** The months that have figures, on either basis and of either flow; in no order. */
  readonly figureMonths: () => Answer<readonly Month[]>;

  readonly changes: (question: ChangesQuestion) => AnswerOfOrders<readonly ChangedOrder[]>;

  /** Positions of events, in order. Those found by a term may be others with the same short digest: the reader compares. */
  readonly auditPositions: (question: AuditQuestion) => Answer<Page<Position>>;

  /** In the order of positions. */
  readonly quarantine: (question: QuarantineQuestion) => Answer<Page<Quarantined>>;

  /** One quarantined delivery by the id of its `DeliveryQuarantined`; null where there is none. */
  readonly quarantined: (eventId: EventId) => Answer<Quarantined | null>;

  /** Positions of quarantined deliveries whose body names an order of this id, or this utr. */
  readonly quarantinedOf: (text: string) => Answer<readonly Position[]>;

  /** Items of the match, counted (docs/spec/match.md, Summary). */
  readonly matchSummary: (question: MatchSummaryQuestion) => Answer<MatchSummary>;

  /** Items of the match, the oldest first. */
  readonly matchItems: (question: MatchItemsQuestion) => Answer<MatchPage>;

  /** What a decision must know. */
  readonly matchDecidable: (question: MatchDecidableQuestion) => Answer<MatchDecidable>;
  /** Imported bank files, in the order in which they came. */
  readonly statements: (question: StatementsQuestion) => Answer<Page<ImportedStatement>>;

  /** One imported bank file; null where there is none. */
  readonly statement: (statementId: StatementId) => Answer<ImportedStatement | null>;

  /** The lines of an imported file in their order; none of a file that was not imported whole. */
  readonly statementLines: (question: LinesQuestion) => Answer<Page<StatementLine>>;

  /** Which of some lines imported files have brought. */
  readonly knownLines: (ids: readonly LineId[]) => Answer<readonly LineId[]>;

  /** Which imported files have brought some lines: each line with each of its files. */
  readonly filesOfLines: (ids: readonly LineId[]) => Answer<readonly FileOfLine[]>;

  /** Transfers on chain as they were seen last, in the order in which they were first seen. */
  readonly transfers: (question: TransfersQuestion) => Answer<Page<SeenTransfer>>;

  /** @param now decides which clock anomalies are there */
  readonly tallies: (now: Instant) => Answer<Tallies>;

  readonly progress: () => ReadModelsProgress;

  readonly close: () => Promise<void>;
};
