import * as E from 'fp-ts/lib/Either.js';
import { readOwnEvent } from '../domain/own-event/own-event.ts';
import type { StatementLineData } from '../domain/own-event/statement-events.ts';
import { OWN_STREAMS, type Position, type StreamName } from '../domain/ids.ts';
import type { Observation } from '../domain/observation.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { ImportedStatement } from './bank-questions.ts';

/** What an event says of bank files and of transfers on chain. */
export type BankChange =
  | { readonly _tag: 'Line'; readonly line: StatementLineData }
  | { readonly _tag: 'Imported'; readonly statement: ImportedStatement }
  | ({ readonly _tag: 'Observed'; readonly position: Position } & Observation);

/** Whether a stream holds such events. */
export const isBankStream = (stream: StreamName): boolean =>
  stream.startsWith(OWN_STREAMS.statement) || stream.startsWith(OWN_STREAMS.transfer);

/** Reads an event of such a stream; null for one that is damaged or unknown, which `verify` names. */
export const bankChange = (recorded: RecordedEvent): BankChange | null => {
  const read = readOwnEvent(recorded);
  if (E.isLeft(read)) return null;
  const event = read.right;
  if (event._tag === 'StatementLine') return { _tag: 'Line', line: event.data };
  if (event._tag === 'TransferObserved') {
    return { _tag: 'Observed', transfer: event.data, eventId: recorded.id, position: recorded.position };
  }
  if (event._tag !== 'StatementImported') return null;
  const { by, receivedAt: at } = event.metadata;
  return { _tag: 'Imported', statement: { ...event.data, position: recorded.position, by, at } };
};
