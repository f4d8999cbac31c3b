import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { EventIdText, RevisionNumber, StreamNameText } from '../../domain/ids.ts';
import { PositionText } from '../../domain/position.ts';
import type { NewEvent } from '../../domain/recorded-event.ts';
import type { AppendError, Appended } from '../event-store.ts';
import type { AppendRequest } from './append-frame.ts';

/**
 * The lines that cross the local socket: one JSON object for each append that a command asks of the serving ledger, and
 * one for each answer, in their order.
 */
const WireEvent = t.type({
  id: EventIdText,
  type: t.string,
  data: t.string,
  /** As its text. A ledger that took it in base64 would read no metadata that is listed, and understands no such request. */
  metadataText: t.string,
  rawBody: t.union([t.string, t.null]),
});

const Expected = t.union([t.literal('none'), RevisionNumber]);

const WireRequest = t.type({ stream: StreamNameText, expected: Expected, events: t.array(WireEvent) });

const WireAnswer = t.union([
  t.type({ _tag: t.literal('Appended'), revision: RevisionNumber, position: PositionText }),
  t.type({ _tag: t.literal('WrongExpectedRevision'), actual: Expected }),
  t.type({ _tag: t.literal('StoreUnavailable'), detail: t.string }),
]);

/** The line that asks how the ledger is. One that knows it not answers that the request was not understood. */
export const STATE_QUESTION = JSON.stringify({ ask: 'state' });

/** A line as JSON; undefined for what is none. */
export const parsedLine = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64');

/** A request as one line, without its end. */
export const requestLine = ({ stream, expected, events }: AppendRequest): string =>
  JSON.stringify({
    stream,
    expected,
    events: events.map(({ id, type, data, metadata, rawBody }) => ({
      id,
      type,
      data: data.toString('base64'),
      metadataText: metadata.toString(),
      rawBody: rawBody?.toString('base64') ?? null,
    })),
  });

/** Reads a request line; null for anything else. */
export const parseRequestLine = (line: string): AppendRequest | null => {
  const request = WireRequest.decode(parsedLine(line));
  if (E.isLeft(request)) return null;
  const [first, ...more] = request.right.events.map((event): NewEvent => ({
    id: event.id,
    type: event.type,
    data: bytes(event.data),
    metadata: Buffer.from(event.metadataText),
    rawBody: event.rawBody === null ? null : bytes(event.rawBody),
  }));
  if (first === undefined) return null;
  return {
    stream: request.right.stream,
    expected: request.right.expected,
    events: [first, ...more],
  };
};

/** An answer as one line, without its end. */
export const answerLine = (answer: E.Either<AppendError, Appended>): string =>
  JSON.stringify(E.isRight(answer) ? { _tag: 'Appended', ...answer.right } : answer.left);

/** Reads an answer line; what is none is an unknown outcome. */
export const parseAnswerLine = (line: string): E.Either<AppendError, Appended> => {
  const answer = WireAnswer.decode(parsedLine(line));
  if (E.isLeft(answer))
    return E.left({ _tag: 'StoreUnavailable', detail: 'the serving ledger gave no answer that can be read' });
  if (answer.right._tag !== 'Appended') return E.left(answer.right);
  return E.right({ revision: answer.right.revision, position: answer.right.position });
};
