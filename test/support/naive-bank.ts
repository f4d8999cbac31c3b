import { bankChange } from '../../src/read-models/bank-change.ts';
import type {
  FileOfLine,
  ImportedStatement,
  LinesQuestion,
  SeenTransfer,
  StatementsQuestion,
  TransfersQuestion,
} from '../../src/read-models/bank-questions.ts';
import type { Page } from '../../src/read-models/read-models.ts';
import { isOwnEventType } from '../../src/domain/event-type.ts';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';
import type { StatementLineData } from '../../src/domain/own-event/statement-events.ts';
import type { LineId, StatementLine } from '../../src/domain/statement-line.ts';
import { comparePositions } from '../../src/domain/position.ts';

const pageOf = <A>(all: readonly A[], limit: number): Page<A> => ({
  data: all.slice(0, limit),
  more: all.length > limit,
});

/** What a log says of bank files and transfers, found by looking at all of it. */
export class NaiveBank {
  readonly #imported: readonly ImportedStatement[];
  readonly #lines: readonly StatementLineData[];
  readonly #transfers: readonly SeenTransfer[];

  constructor(events: readonly RecordedEvent[]) {
    const changes = events.filter(({ type }) => isOwnEventType(type)).flatMap((event) => bankChange(event) ?? []);
    this.#imported = changes.flatMap((change) => (change._tag === 'Imported' ? change.statement : []));
    this.#lines = changes.flatMap((change) => (change._tag === 'Line' ? change.line : []));
    const observed = changes.flatMap((change) => (change._tag === 'Observed' ? change : []));
    const ids = [...new Set(observed.map(({ transfer }) => transfer.transferId))];
    this.#transfers = ids.flatMap((id) => {
      const its = observed.filter(({ transfer }) => transfer.transferId === id);
      const rank = ({ transfer, eventId }: (typeof its)[number]): string =>
        [
          transfer.observedAt,
          Number(transfer.baseUnits !== null),
          String(transfer.confirmations === null ? 0 : transfer.confirmations + 1).padStart(10, '0'),
          eventId,
        ].join(' ');
      const newest = its.toSorted((a, b) => (rank(a) > rank(b) ? 1 : -1));
      const [first, last] = [its[0], newest.at(-1)];
      return first === undefined || last === undefined ? [] : { ...last.transfer, position: first.position };
    });
  }

  statements({ after, limit }: StatementsQuestion): Page<ImportedStatement> {
    return pageOf(
      this.#imported.filter(({ position }) => comparePositions(position, after) > 0),
      limit,
    );
  }

  statement(id: string): ImportedStatement | null {
    return this.#imported.find(({ statementId }) => statementId === id) ?? null;
  }

  statementLines({ statementId, after, limit }: LinesQuestion): Page<StatementLine> {
    const reading = this.statement(statementId)?.reading;
    const its = this.#lines.filter((line) => line.statementId === statementId && line.reading === reading);
    const lines = its
      .filter(({ index }) => index > (after ?? -1))
      .toSorted((a, b) => a.index - b.index)
      .map(({ reading: _its, ...line }): StatementLine => line);
    return pageOf(lines, limit);
  }

  knownLines(ids: readonly LineId[]): readonly LineId[] {
    const counted = this.#counted();
    return ids.filter((id) => counted.some(({ lineId }) => lineId === id));
  }

  filesOfLines(ids: readonly LineId[]): readonly FileOfLine[] {
    const counted = this.#counted();
    return ids.flatMap((id) => {
      const files = counted.filter(({ lineId }) => lineId === id).map(({ statementId }) => statementId);
      return [...new Set(files)].toSorted().map((statementId) => ({ lineId: id, statementId }));
    });
  }

  #counted(): readonly StatementLineData[] {
    return this.#lines.filter((line) =>
      this.#imported.some(({ statementId, reading }) => statementId === line.statementId && reading === line.reading),
    );
  }

  transfers({ chainId, txnHash, after, limit }: TransfersQuestion): Page<SeenTransfer> {
    return pageOf(
      this.#transfers.filter(
        (transfer) =>
          (chainId === null || transfer.chainId === chainId) &&
          (txnHash === null || transfer.txnHash.toLowerCase() === txnHash.toLowerCase()) &&
          comparePositions(transfer.position, after) > 0,
      ),
      limit,
    );
  }
}
