import * as E from 'fp-ts/lib/Either.js';
import { isOwnEventType, type OwnEventType } from '../event-type.ts';
import type { EventForStream } from '../new-event.ts';
import type { RecordedEvent } from '../recorded-event.ts';
import { unreadableEvent, withDamagedMetadata, type UnreadableEvent } from '../unreadable-event.ts';
import {
  QUARANTINE_CLOSED,
  QUARANTINE_REOPENED,
  type QuarantineClosedData,
  type QuarantineReopenedData,
} from './closure-events.ts';
import { LINE_IDS_KEYED, type LineIdsKeyedData } from './line-key-events.ts';
import { MATCH_DECIDED, type MatchDecidedData } from './match-events.ts';
import { STATEMENT_PROFILE_SET, type StatementProfileSetData } from './profile-events.ts';
import { parseOwnData, placeOf, type OwnKind, type OwnPlace } from './own-kind.ts';
import { ownMetadataText, ownRecordDigest, parseOwnMetadata, type Author, type OwnMetadata } from './own-metadata.ts';
import { PERIOD_CLOSED, PERIOD_REOPENED, type PeriodClosedData, type PeriodReopenedData } from './period-events.ts';
import {
  STATEMENT_IMPORTED,
  STATEMENT_LINE,
  type StatementImportedData,
  type StatementLineData,
} from './statement-events.ts';
import { TRANSFER_OBSERVED, type TransferObservedData } from './transfer-events.ts';

type Read<T extends OwnEventType, A> = {
  readonly _tag: T;
  readonly data: A;
  readonly metadata: OwnMetadata;
  readonly recorded: RecordedEvent;
};

/** An event of the ledger itself, read. */
export type OwnEvent =
  | Read<'PeriodClosed', PeriodClosedData>
  | Read<'PeriodReopened', PeriodReopenedData>
  | Read<'StatementImported', StatementImportedData>
  | Read<'StatementLine', StatementLineData>
  | Read<'StatementProfileSet', StatementProfileSetData>
  | Read<'LineIdsKeyed', LineIdsKeyedData>
  | Read<'TransferObserved', TransferObservedData>
  | Read<'MatchDecided', MatchDecidedData>
  | Read<'QuarantineClosed', QuarantineClosedData>
  | Read<'QuarantineReopened', QuarantineReopenedData>;

/** How events of one kind are read. */
type Reader = {
  readonly read: (recorded: RecordedEvent) => E.Either<UnreadableEvent, OwnEvent>;
  /** Where an event with this data belongs; null where the data is none of the kind. */
  readonly place: (data: string) => OwnPlace | null;
};

const reading = <T extends OwnEventType, A>(kind: OwnKind<T, A>) => ({
  read: (recorded: RecordedEvent): E.Either<UnreadableEvent, Read<T, A>> => {
    const metadata = parseOwnMetadata(recorded.metadata);
    if (metadata === null) return E.left(withDamagedMetadata(recorded));
    const data = parseOwnData(kind, recorded.data);
    if (data === null) return E.left(unreadableEvent(recorded, `its data is none of a ${kind.type}`));
    return placeOf(kind, data).stream === recorded.stream
      ? E.right({ _tag: kind.type, data, metadata, recorded })
      : E.left(unreadableEvent(recorded, 'its data is not of this stream'));
  },
  place: (text: string): OwnPlace | null => {
    const data = parseOwnData(kind, text);
    return data === null ? null : placeOf(kind, data);
  },
});

const READERS: Readonly<Record<OwnEventType, Reader>> = {
  PeriodClosed: reading(PERIOD_CLOSED),
  PeriodReopened: reading(PERIOD_REOPENED),
  StatementImported: reading(STATEMENT_IMPORTED),
  StatementLine: reading(STATEMENT_LINE),
  StatementProfileSet: reading(STATEMENT_PROFILE_SET),
  LineIdsKeyed: reading(LINE_IDS_KEYED),
  TransferObserved: reading(TRANSFER_OBSERVED),
  MatchDecided: reading(MATCH_DECIDED),
  QuarantineClosed: reading(QUARANTINE_CLOSED),
  QuarantineReopened: reading(QUARANTINE_REOPENED),
};

/** Reads an event of the ledger itself. */
export const readOwnEvent = (recorded: RecordedEvent): E.Either<UnreadableEvent, OwnEvent> =>
  isOwnEventType(recorded.type)
    ? READERS[recorded.type].read(recorded)
    : E.left(unreadableEvent(recorded, 'it is no event of the ledger itself'));

/** Where an event of the ledger itself belongs by its data; null where its data can't be read. */
export const ownPlace = (type: OwnEventType, data: string): OwnPlace | null => READERS[type].place(data);

/** An event that no provider signed: its digest covers all of it, who had it written and when (docs/spec/domain.md, Own events). */
export const ownEvent = <T extends OwnEventType, A>(
  kind: OwnKind<T, A>,
  content: A,
  { by, at, requestId }: Author,
): EventForStream => {
  const { stream, id, about } = placeOf(kind, content);
  const data = Buffer.from(JSON.stringify(content));
  const metadata = { schemaVersion: 1, receivedAt: at, by, requestId, $correlationId: about } as const;
  const recordSha256 = ownRecordDigest({ stream, type: kind.type, id, data }, metadata);
  return {
    stream,
    event: {
      id,
      type: kind.type,
      data,
      metadata: Buffer.from(ownMetadataText({ ...metadata, recordSha256 })),
      rawBody: null,
    },
  };
};
