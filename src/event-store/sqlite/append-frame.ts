import { branded } from '../../domain/brand.ts';
import type { Revision, StreamName } from '../../domain/ids.ts';
import { positionAt } from '../../domain/position.ts';
import type { NewEvent } from '../../domain/recorded-event.ts';
import type { AppendError, Appended, ExpectedRevision } from '../event-store.ts';
import * as E from 'fp-ts/lib/Either.js';

/**
 * How appends cross to the writer thread and their answers come back: as bytes in one buffer for a whole batch, which is
 * moved and not copied. Handing over objects costs several times as much (docs/decisions/0005-the-way-of-a-delivery.md).
 */
export type AppendRequest = {
  readonly stream: StreamName;
  readonly expected: ExpectedRevision;
  readonly events: readonly [NewEvent, ...(readonly NewEvent[])];
};

/** An append as the writer sees it: views into the frame, without decoding what it only passes on. */
export type FramedAppend = {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly FramedEvent[];
};

export type FramedEvent = {
  readonly id: string;
  readonly type: string;
  readonly data: Buffer;
  readonly metadata: Buffer;
  readonly rawBody: Buffer | null;
};

const NONE = -1;
const UUID_LENGTH = 36;
const APPEND_HEADER = 12;
const EVENT_HEADER = 16 + UUID_LENGTH;

const eventSize = (event: NewEvent): number =>
  EVENT_HEADER + 3 * event.type.length + event.data.length + event.metadata.length + (event.rawBody?.length ?? 0);

/** Bytes that a request may need at the most. */
export const frameSize = ({ stream, events }: AppendRequest): number => {
  let size = APPEND_HEADER + 3 * stream.length;
  for (const event of events) size += eventSize(event);
  return size;
};

const writeEvent = (frame: Buffer, event: NewEvent, start: number): number => {
  let at = start + EVENT_HEADER;
  frame.write(event.id, start + 16, 'latin1');
  const typeLength = frame.write(event.type, at, 'utf8');
  at += typeLength;
  at += event.data.copy(frame, at);
  at += event.metadata.copy(frame, at);
  if (event.rawBody !== null) at += event.rawBody.copy(frame, at);
  frame.writeInt32LE(typeLength, start);
  frame.writeInt32LE(event.data.length, start + 4);
  frame.writeInt32LE(event.metadata.length, start + 8);
  frame.writeInt32LE(event.rawBody?.length ?? NONE, start + 12);
  return at;
};

/** Writes a request at an offset of a frame that has room for it; answers the offset behind it. */
export const writeRequest = (frame: Buffer, { stream, expected, events }: AppendRequest, start: number): number => {
  const streamLength = frame.write(stream, start + APPEND_HEADER, 'utf8');
  frame.writeInt32LE(streamLength, start);
  frame.writeInt32LE(expected === 'none' ? NONE : expected, start + 4);
  frame.writeInt32LE(events.length, start + 8);
  let at = start + APPEND_HEADER + streamLength;
  for (const event of events) at = writeEvent(frame, event, at);
  return at;
};

/** Reads the requests of a frame, in the order in which they were written. */
export function* readRequests(frame: Buffer, count: number): Generator<FramedAppend> {
  let at = 0;
  const take = (length: number): Buffer => {
    const bytes = frame.subarray(at, at + length);
    at += length;
    return bytes;
  };
  const takeText = (length: number): string => {
    const text = frame.toString('utf8', at, at + length);
    at += length;
    return text;
  };
  for (let i = 0; i < count; i += 1) {
    const streamLength = frame.readInt32LE(at);
    const expected = frame.readInt32LE(at + 4);
    const eventCount = frame.readInt32LE(at + 8);
    at += APPEND_HEADER;
    const stream = takeText(streamLength);
    const events: FramedEvent[] = [];
    for (let n = 0; n < eventCount; n += 1) {
      const typeLength = frame.readInt32LE(at);
      const dataLength = frame.readInt32LE(at + 4);
      const metadataLength = frame.readInt32LE(at + 8);
      const rawLength = frame.readInt32LE(at + 12);
      const id = frame.toString('latin1', at + 16, at + EVENT_HEADER);
      at += EVENT_HEADER;
      const type = takeText(typeLength);
      const data = take(dataLength);
      const metadata = take(metadataLength);
      events.push({ id, type, data, metadata, rawBody: rawLength === NONE ? null : take(rawLength) });
    }
    yield { stream, expected: expected === NONE ? 'none' : branded<Revision>(expected), events };
  }
}

/** What the writer answers for one append. */
export type WriterAnswer =
  | { readonly _tag: 'Written'; readonly revision: number; readonly position: number }
  | { readonly _tag: 'WrongExpectedRevision'; readonly actual: number };

const ANSWER_LENGTH = 3;
const [WRITTEN, WRONG] = [0, 1];

/** Answers of a batch as numbers, which cross threads for next to nothing. */
export const packAnswers = (answers: readonly WriterAnswer[]): Float64Array<ArrayBuffer> => {
  const packed = new Float64Array(answers.length * ANSWER_LENGTH);
  answers.forEach((answer, i) => {
    const written = answer._tag === 'Written';
    packed[i * ANSWER_LENGTH] = written ? WRITTEN : WRONG;
    packed[i * ANSWER_LENGTH + 1] = written ? answer.revision : answer.actual;
    packed[i * ANSWER_LENGTH + 2] = written ? answer.position : 0;
  });
  return packed;
};

/** The answer to the append at an index of its batch, in the port's terms. */
export const unpackAnswer = (packed: Float64Array, index: number): E.Either<AppendError, Appended> => {
  const revision = branded<Revision>(packed[index * ANSWER_LENGTH + 1] ?? 0);
  if (packed[index * ANSWER_LENGTH] === WRONG) {
    return E.left({ _tag: 'WrongExpectedRevision', actual: revision === NONE ? 'none' : revision });
  }
  return E.right({ revision, position: positionAt(packed[index * ANSWER_LENGTH + 2] ?? 0) });
};
