import { addAll } from '../../../domain/add-all.ts';
import type Database from 'better-sqlite3';
import { branded } from '../../../domain/brand.ts';
import { OWN_STREAMS, type EventId, type StreamName } from '../../../domain/ids.ts';
import { compareObservations } from '../../../domain/observation.ts';
import { positionNumber } from '../../../domain/position.ts';
import type { RecordedEvent } from '../../../domain/recorded-event.ts';
import { hexKey } from '../../../domain/transfer.ts';
import type { StreamEvents } from '../../../event-store/parted-log.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { bankChange, isBankStream, type BankChange } from '../../bank-change.ts';
import { compared } from '../../compared.ts';
import { matchChange } from '../../own-match-change.ts';
import type { Checkpoint } from '../../read-models.ts';
import { isAt } from '../../is-at.ts';
import { bankStatements } from '../../statements/bank-statements.ts';
import { evidenceStatements } from '../../statements/match-statements.ts';
import { verifyMatchStatements } from '../../statements/verify-match-statements.ts';
import { readTransfer } from '../../stored-bank.ts';
import { failureOfEvents, readModelFailure, type ReadModelFailure } from '../../verification.ts';
import type { FoundRows } from './verify-strays.ts';

type Of<Tag extends BankChange['_tag']> = Extract<BankChange, { readonly _tag: Tag }>;

/** Compares what is kept of bank files, transfers and decisions with what their events say, stream by stream. */
export class BankVerification {
  readonly #checkpoint: Checkpoint | null;
  readonly #sql: SqliteStatements;
  readonly #statements: number[] = [];
  #decisions = 0;

  /** @param checkpoint one that the generation has reached: what it includes must be there */
  constructor(database: Database.Database, checkpoint: Checkpoint | null) {
    this.#checkpoint = checkpoint;
    this.#sql = new SqliteStatements(database);
  }

  /** Rows of files and decisions that there were of the streams so far. */
  get found(): Pick<FoundRows, 'statements' | 'decisions'> {
    return { statements: this.#statements, decisions: this.#decisions };
  }

  /** The differences of one stream; none for a stream of anything else. */
  of(its: StreamEvents): readonly ReadModelFailure[] {
    return compared(
      () => this.#of(its),
      (detail) => [failureOfEvents('read-model-bank-differs', null, its.events, detail)],
    );
  }

  #of({ stream, events }: StreamEvents): readonly ReadModelFailure[] {
    if (stream.startsWith(OWN_STREAMS.match)) return this.#ofDecisions(this.#included(events));
    if (!isBankStream(stream)) return [];
    const included = this.#included(events);
    this.#noteStatement(stream, included);
    const observed: [RecordedEvent, Of<'Observed'>][] = [];
    const failures: ReadModelFailure[] = [];
    for (const event of included) {
      const change = bankChange(event);
      if (change?._tag === 'Observed') observed.push([event, change]);
      if (change?._tag === 'Imported' && !this.#hasStatement(change)) {
        failures.push(differs(event, 'its bank file differs'));
      }
      if (change?._tag === 'Line' && !this.#hasLine(change)) {
        failures.push(differs(event, `line ${change.line.index} of its bank file differs`));
      }
    }
    const byTransfer = Map.groupBy(observed, ([, { transfer }]) => transfer.transferId);
    for (const its of byTransfer.values()) addAll(failures, this.#ofTransfer(its));
    return failures;
  }

  #noteStatement(stream: StreamName, included: readonly RecordedEvent[]): void {
    if (!stream.startsWith(OWN_STREAMS.statement) || included.length === 0) return;
    const statement_id = stream.slice(OWN_STREAMS.statement.length);
    const row = this.#sql.get(bankStatements.byId, { statement_id });
    if (row !== undefined) this.#statements.push(row.position);
  }

  #hasStatement({ statement }: Of<'Imported'>): boolean {
    const { position, by, at, ...kept } = statement;
    const row = this.#sql.get(bankStatements.byId, { statement_id: kept.statementId });
    // The event that came first is kept of a file.
    if (row !== undefined && row.position < positionNumber(position)) return true;
    if (row?.statement !== JSON.stringify(kept) || row.noted !== JSON.stringify({ by, at })) return false;
    const { lines } = this.#sql.one(verifyMatchStatements.lineCount, {
      statement_id: kept.statementId,
      reading: kept.reading,
    });
    // Each of its lines is compared with its event; that there is none beside them is told by their number.
    return row.position === positionNumber(position) && lines === kept.lines;
  }

  #hasLine({ line }: Of<'Line'>): boolean {
    const { statementId: statement_id, reading, index: idx } = line;
    const row = this.#sql.get(verifyMatchStatements.line, { statement_id, reading, idx });
    if (row === undefined || row.line !== JSON.stringify(line)) return false;
    return row.line_id === line.lineId && row.account === line.account && row.booked_on === line.bookedOn;
  }

  /** All observations of one transfer, of which a transaction may have several. */
  #ofTransfer(observed: readonly (readonly [RecordedEvent, Of<'Observed'>])[]): readonly ReadModelFailure[] {
    const newest = observed.toSorted(([, a], [, b]) => compareObservations(a, b)).at(-1);
    if (newest === undefined) return [];
    const [event, { transfer, eventId }] = newest;
    const row = this.#sql.get(bankStatements.transfer, { transfer_id: transfer.transferId });
    if (row === undefined) return [differs(event, 'its transfer is missing')];
    const first = Math.min(...observed.map(([{ position }]) => positionNumber(position)));
    const saysIt = row.transfer === JSON.stringify(transfer);
    const kept = saysIt ? transfer : readTransfer(row.transfer, event.position);
    // It may have been looked at again since these events were read; an observation that says the same is the same event.
    const isLater =
      kept !== null &&
      (saysIt
        ? row.event_id === eventId
        : compareObservations({ transfer: kept, eventId: branded<EventId>(row.event_id) }, { transfer, eventId }) > 0);
    const isFound =
      isLater &&
      kept.transferId === transfer.transferId &&
      row.observed_at === kept.observedAt &&
      row.chain_id === kept.chainId &&
      row.hash_key === hexKey(kept.txnHash);
    return row.position === first && isFound ? [] : [differs(event, 'its transfer differs')];
  }

  #ofDecisions(events: readonly RecordedEvent[]): readonly ReadModelFailure[] {
    const last = events.flatMap((event) => matchChange(event).map((change) => [event, change] as const)).at(-1);
    if (last === undefined) return [];
    const [event, change] = last;
    const decision = change._tag === 'Decided' ? change.decision : null;
    const itemId =
      change._tag === 'Decided' ? change.decision.itemId : change._tag === 'TakenBack' ? change.itemId : '';
    const row = this.#sql.get(evidenceStatements.decision, { item_id: itemId });
    if (row !== undefined) this.#decisions += 1;
    const names = decision === null ? [] : [...decision.group, ...decision.apart];
    const isNamed = names.every((name) =>
      this.#sql.all(evidenceStatements.decisionsOn, { name }).some(({ item_id }) => item_id === itemId),
    );
    const isIt = (row?.body ?? null) === (decision === null ? null : JSON.stringify(decision));
    return isIt && isNamed ? [] : [differs(event, 'its decision differs')];
  }

  #included(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
    return events.filter(({ position }) => isAt(this.#checkpoint, position));
  }
}

const differs = ({ stream, revision, id: eventId }: RecordedEvent, detail: string): ReadModelFailure => ({
  ...readModelFailure('read-model-bank-differs', detail),
  stream,
  revision,
  eventId,
});
