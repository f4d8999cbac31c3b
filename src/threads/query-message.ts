import type * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { ApiFailure } from '../api/api-failure.ts';
import type { HandedQuestion, WrittenReply } from '../api/handed-question.ts';
import type { HandedPage } from '../console/handed-page.ts';
import type { WrittenPage } from '../console/page.ts';
import type { HandedLog, ProofFailure } from '../proofs/proof-log.ts';
import type { EventId, OrderId, Position } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import type { Month } from '../domain/month.ts';
import type { LineId, StatementId, StatementLine } from '../domain/statement-line.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import type {
  ChecksQuestion,
  ClosingFailure,
  ClosingFigures,
  ClosingQuestion,
  KeptMonth,
  MonthChecks,
} from '../queries/periods/month-reckoning.ts';
import type {
  FileOfLine,
  ImportedStatement,
  LinesQuestion,
  SeenTransfer,
  StatementsQuestion,
  TransfersQuestion,
} from '../read-models/bank-questions.ts';
import type {
  MatchDecidable,
  MatchDecidableQuestion,
  MatchItemsQuestion,
  MatchPage,
  MatchSummary,
  MatchSummaryQuestion,
} from '../read-models/match-questions.ts';
import type {
  AuditQuestion,
  CellsAnswer,
  ChangedOrder,
  ChangesQuestion,
  OrdersPage,
  OrdersQuestion,
  Page,
  Quarantined,
  QuarantineQuestion,
  MomentTooFar,
  ReadModelsUnavailable,
  ReportAnswer,
  ReportQuestion,
  Tallies,
} from '../read-models/read-models.ts';
import { SharedFloorData, type SharedFloor } from './included-floor.ts';
import { LedgerLocationData, type LedgerLocation } from './ledger-location.ts';
import { protocol, tagged } from './thread-message.ts';

/** What the query thread is started with. */
export type QueryOptions = {
  readonly location: LedgerLocation;
  readonly readModelFile: string;
  readonly timeZone: string;
  /** Whether what whole questions are answered with is loaded before it says that it works; else by the first of them. */
  readonly loadsFirst: boolean;
  readonly floor: SharedFloor;
};

const Options: { readonly is: t.Is<QueryOptions> } = t.type({
  location: LedgerLocationData,
  readModelFile: t.string,
  timeZone: t.string,
  loadsFirst: t.boolean,
  floor: SharedFloorData,
});

export const isQueryOptions = (u: unknown): u is QueryOptions => Options.is(u);

/**
 * A question that a route handed over. `secrets`: all that events may have been signed with; keys in hex. `log`: as it is
 * signed, where the answer holds proofs, or why nothing is proven.
 */
export type Handed = {
  readonly routeId: string;
  readonly question: HandedQuestion;
  readonly now: Instant;
  readonly matchDueDays: number;
  readonly secrets: readonly { readonly id: string; readonly key: string }[];
  readonly log: E.Either<ProofFailure, HandedLog>;
};

/** A page of the console that is made there. `secrets`, `log`: as above. */
export type HandedPageQuestion = Pick<Handed, 'matchDueDays' | 'secrets' | 'log'> & { readonly page: HandedPage };

/** A question for the query thread. */
export type Question =
  | { readonly _tag: 'Orders'; readonly question: OrdersQuestion }
  | { readonly _tag: 'OrdersWithUtr'; readonly utr: string }
  | { readonly _tag: 'Report'; readonly question: ReportQuestion }
  | { readonly _tag: 'Cells'; readonly question: ReportQuestion }
  | { readonly _tag: 'FigureMonths' }
  | { readonly _tag: 'Changes'; readonly question: ChangesQuestion }
  | { readonly _tag: 'AuditPositions'; readonly question: AuditQuestion }
  | { readonly _tag: 'Quarantine'; readonly question: QuarantineQuestion }
  | { readonly _tag: 'Quarantined'; readonly eventId: EventId }
  | { readonly _tag: 'QuarantinedOf'; readonly text: string }
  | { readonly _tag: 'MatchSummary'; readonly question: MatchSummaryQuestion }
  | { readonly _tag: 'MatchItems'; readonly question: MatchItemsQuestion }
  | { readonly _tag: 'MatchDecidable'; readonly question: MatchDecidableQuestion }
  | { readonly _tag: 'Statements'; readonly question: StatementsQuestion }
  | { readonly _tag: 'Statement'; readonly statementId: StatementId }
  | { readonly _tag: 'StatementLines'; readonly question: LinesQuestion }
  | { readonly _tag: 'KnownLines'; readonly ids: readonly LineId[] }
  | { readonly _tag: 'FilesOfLines'; readonly ids: readonly LineId[] }
  | { readonly _tag: 'Transfers'; readonly question: TransfersQuestion }
  | { readonly _tag: 'Tallies'; readonly now: Instant }
  | { readonly _tag: 'Closing'; readonly question: ClosingQuestion }
  | { readonly _tag: 'Adjusted'; readonly closed: KeptMonth }
  | { readonly _tag: 'MonthChecks'; readonly question: ChecksQuestion }
  | { readonly _tag: 'Handed'; readonly handed: Handed }
  | { readonly _tag: 'Page'; readonly handed: HandedPageQuestion };

/** An order that has changed, its states as texts. */
export type ChangedTexts = Pick<ChangedOrder, 'orderId' | 'eventIds'> & {
  readonly before: string | null;
  readonly now: string | null;
};

/** Its answer, under the same tag. Orders come as their stored texts: numbers with their digits survive no other way between threads. */
export type Answer =
  | { readonly _tag: 'Orders'; readonly page: OrdersPage<string> }
  | { readonly _tag: 'OrdersWithUtr'; readonly orderIds: readonly OrderId[] }
  | { readonly _tag: 'Report'; readonly report: ReportAnswer }
  | { readonly _tag: 'Cells'; readonly cells: CellsAnswer }
  | { readonly _tag: 'FigureMonths'; readonly months: readonly Month[] }
  | { readonly _tag: 'Changes'; readonly changes: readonly ChangedTexts[] }
  | { readonly _tag: 'AuditPositions'; readonly page: Page<Position> }
  | { readonly _tag: 'Quarantine'; readonly page: Page<Quarantined> }
  | { readonly _tag: 'Quarantined'; readonly quarantined: Quarantined | null }
  | { readonly _tag: 'QuarantinedOf'; readonly positions: readonly Position[] }
  | { readonly _tag: 'MatchSummary'; readonly summary: MatchSummary }
  | { readonly _tag: 'MatchItems'; readonly page: MatchPage }
  | { readonly _tag: 'MatchDecidable'; readonly decidable: MatchDecidable }
  | { readonly _tag: 'Statements'; readonly page: Page<ImportedStatement> }
  | { readonly _tag: 'Statement'; readonly statement: ImportedStatement | null }
  | { readonly _tag: 'StatementLines'; readonly page: Page<StatementLine> }
  | { readonly _tag: 'KnownLines'; readonly ids: readonly LineId[] }
  | { readonly _tag: 'FilesOfLines'; readonly files: readonly FileOfLine[] }
  | { readonly _tag: 'Transfers'; readonly page: Page<SeenTransfer> }
  | { readonly _tag: 'Tallies'; readonly tallies: Tallies }
  /** Null: nothing serves yet. */
  | { readonly _tag: 'Closing'; readonly made: E.Either<ClosingFailure, ClosingFigures> | null }
  | { readonly _tag: 'Adjusted'; readonly made: E.Either<QueryFailure, boolean> | null }
  | { readonly _tag: 'MonthChecks'; readonly made: E.Either<QueryFailure, MonthChecks> }
  /** Null: it has to be answered by who asked. */
  | { readonly _tag: 'Handed'; readonly made: E.Either<ApiFailure, WrittenReply> | null }
  | { readonly _tag: 'Page'; readonly made: E.Either<QueryFailure, WrittenPage> | null }
  /** Nothing serves yet. */
  | { readonly _tag: 'NotBuilt' }
  | MomentTooFar
  | ({ readonly _tag: 'Unavailable' } & Omit<ReadModelsUnavailable, '_tag'>);

/** Another generation serves now. */
export type QueryNote = { readonly _tag: 'Reopen' };

/** What answers proofs found that the files of the tree do not lead to what was signed. */
export type QueryNews = { readonly _tag: 'TreeSuspected' };

/** Each has an answer of the same tag. */
const QUESTIONS: Readonly<Record<Question['_tag'], true>> = {
  Orders: true,
  OrdersWithUtr: true,
  Report: true,
  Cells: true,
  FigureMonths: true,
  Changes: true,
  AuditPositions: true,
  Quarantine: true,
  Quarantined: true,
  QuarantinedOf: true,
  MatchSummary: true,
  MatchItems: true,
  MatchDecidable: true,
  Statements: true,
  Statement: true,
  StatementLines: true,
  KnownLines: true,
  FilesOfLines: true,
  Transfers: true,
  Tallies: true,
  Closing: true,
  Adjusted: true,
  MonthChecks: true,
  Handed: true,
  Page: true,
};

export const queryProtocol = protocol<Question, Answer, QueryNote, QueryNews>({
  question: tagged<Question>(QUESTIONS),
  answer: tagged<Answer>({ ...QUESTIONS, NotBuilt: true, MomentTooFar: true, Unavailable: true }),
  note: tagged<QueryNote>({ Reopen: true }),
  news: tagged<QueryNews>({ TreeSuspected: true }),
});
