import type {
  EventData,
  JSONType,
  Position as WirePosition,
  RecordedEvent as WireRecordedEvent,
} from '@eventstore/db-client';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { branded } from '../../domain/brand.ts';
import { listedMetadata, metadataMembers, textOfMembers } from '../../domain/event-metadata.ts';
import { isRevision, type EventId, type Position, type StreamName } from '../../domain/ids.ts';
import { instantOf } from '../../domain/instant.ts';
import { positionAt } from '../../domain/position.ts';
import type { NewEvent, RecordedEvent } from '../../domain/recorded-event.ts';

/** What an event is limited to there: data, metadata and twice the type's length together (facts: 1 MiB). */
export const LARGEST_EVENT = 1_048_576;

/** The end of the year 9999, behind which times have another form, in milliseconds since the Unix epoch. */
const LATEST_MS = 253_402_300_799_999;

/** A position as the client takes it. */
export const wirePosition = (position: Position): WirePosition => ({
  commit: BigInt(position),
  prepare: BigInt(position),
});

/** Beside the metadata's own members: the signed bytes, where data does not give them back. */
const RAW_BODY = 'rawBody';
/** In place of the metadata's members, where their text is none that JSON gives back. */
const TEXT = 'metadataText';

const Members: t.Is<Readonly<Record<string, unknown>>> = t.UnknownRecord.is;
const isList: t.Is<unknown[]> = t.UnknownArray.is;

/** What a JSON text holds, if writing it again gives the same text: the client parses and writes JSON itself. */
const faithful = (text: string): JSONType | null => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return (Members(value) || isList(value)) && JSON.stringify(value) === text ? value : null;
};

/** A delivery's metadata has its members' names there, for people and for `$correlationId`; any other is as it is. */
const membersOf = (text: string): Record<string, unknown> => {
  const ofDelivery = metadataMembers(text);
  if (ofDelivery !== null) return ofDelivery;
  const value = faithful(text);
  const isPlain = Members(value) && !isList(value) && value[RAW_BODY] === undefined && value[TEXT] === undefined;
  return isPlain ? value : { [TEXT]: text };
};

const wireMetadata = (text: string, rawBody: Buffer | null): Record<string, unknown> => {
  const members = membersOf(text);
  return rawBody === null ? members : { ...members, [RAW_BODY]: rawBody.toString('base64') };
};

/**
 * An event as the client takes it. Data is JSON there, so that it can be read with the server's own tools, wherever the
 * client gives its very text back; else, where digits would be lost say, its bytes.
 */
export const toWire = ({ id, type, data, metadata, rawBody }: NewEvent): EventData => {
  const value = faithful(data.toString());
  const common = { id, type, metadata: wireMetadata(metadata.toString(), rawBody) };
  return value === null
    ? { ...common, contentType: 'application/octet-stream', data }
    : { ...common, contentType: 'application/json', data: value };
};

/** A delivery's metadata has its members' names on the wire only. */
const metadataSize = (metadata: Buffer): number => {
  const members = metadataMembers(metadata.toString());
  return members === null ? metadata.length : Buffer.byteLength(JSON.stringify(members));
};

/** What counts against `LARGEST_EVENT`. */
export const wireSize = ({ type, data, metadata, rawBody }: NewEvent): number =>
  data.length +
  metadataSize(metadata) +
  2 * Buffer.byteLength(type) +
  (rawBody === null ? 0 : Math.ceil(rawBody.length / 3) * 4 + RAW_BODY.length + 6);

const dataOf = ({ isJson, data }: WireRecordedEvent): string =>
  isJson || !(data instanceof Uint8Array) ? JSON.stringify(data) : Buffer.from(data).toString();

type Metadata = Pick<RecordedEvent, 'metadata' | 'rawBody'>;

const metadataOf = (metadata: unknown): Metadata => {
  if (metadata instanceof Uint8Array) return { metadata: Buffer.from(metadata).toString(), rawBody: null };
  if (!Members(metadata)) return { metadata: metadata === undefined ? '' : JSON.stringify(metadata), rawBody: null };
  const { [RAW_BODY]: raw, ...members } = metadata;
  const text = members[TEXT];
  return {
    metadata: typeof text === 'string' ? text : (textOfMembers(members) ?? JSON.stringify(members)),
    rawBody: typeof raw === 'string' ? Buffer.from(raw, 'base64') : null,
  };
};

/**
 * A position as one number: what is appended over gRPC has commit and prepare at the same place. A text says why one can't
 * be had: they differ, which only explicit transactions of old TCP clients made, and one number could then stand for two
 * events; or it is beyond 2^53, where numbers are rounded.
 */
export const positionOf = ({ position }: WireRecordedEvent): E.Either<string, Position> => {
  if (position === undefined || position.commit !== position.prepare) {
    return E.left('was not appended over gRPC: its commit and prepare positions differ');
  }
  return position.commit <= BigInt(Number.MAX_SAFE_INTEGER)
    ? E.right(positionAt(Number(position.commit)))
    : E.left(`stands at ${position.commit}, beyond the positions that can be told exactly`);
};

/** An event as the ledger reads it; a text says why it can't be placed. */
export const fromWire = (event: WireRecordedEvent, stream: StreamName): E.Either<string, RecordedEvent> => {
  const position = positionOf(event);
  if (E.isLeft(position)) return E.left(`event ${event.revision} of stream ${stream} ${position.left}`);
  const revision = Number(event.revision);
  if (!isRevision(revision)) return E.left(`stream ${stream} has a revision ${event.revision}`);
  const recordedAt = event.created.getTime();
  if (!(recordedAt >= 0 && recordedAt <= LATEST_MS)) {
    return E.left(`event ${revision} of stream ${stream} was written at no time that a calendar has`);
  }
  return E.right({
    stream,
    revision,
    position: position.right,
    id: branded<EventId>(event.id),
    type: event.type,
    recordedAt: instantOf(recordedAt),
    data: dataOf(event),
    ...metadataOf(event.metadata),
  });
};

/** Whether a stored event is this very one, to the last byte: an id alone says nothing (facts: ids are compared and nothing else). */
export const isSame = (stored: RecordedEvent, event: NewEvent): boolean =>
  stored.id === event.id.toLowerCase() &&
  stored.type === event.type &&
  stored.data === event.data.toString() &&
  stored.metadata === listedMetadata(event.metadata.toString()) &&
  (event.rawBody === null ? stored.rawBody === null : stored.rawBody?.equals(event.rawBody) === true);
