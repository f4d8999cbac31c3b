import type { AuditMark } from '../../projections/audit-trail/index.ts';
import type { Position } from '../domain/ids.ts';
import { epochMsOf } from '../domain/instant.ts';
import { positionAt, positionNumber } from '../domain/position.ts';
import { readArray } from './stored-array.ts';
import type { AuditFilter } from './read-models.ts';

/** How many marks a chunk holds at the most. A search reads whole chunks, and only those that may hold what it looks for. */
export const MARKS_OF_A_CHUNK = 512;

/** Events that follow each other in the log, as far as the trail is searched by them. */
export type AuditChunk = {
  readonly firstPosition: number;
  readonly lastPosition: number;
  /** The first and the last receipt in ms. Where no receipt is known, the first is greater than the second. */
  readonly receivedFrom: number;
  readonly receivedTo: number;
  /** JSON array of the types that are there. */
  readonly types: string;
  /** For each event: its position and its receipt as doubles, and the index of its type in `types` in 16 bits. */
  readonly marks: Uint8Array;
};

const DOUBLE = 8;
/** Two doubles and the type. */
const MARK = 2 * DOUBLE + 2;

/** Stands for the receipt of an event whose metadata is damaged: no comparison with it is true. */
const UNKNOWN = Number.NaN;

/** What is kept of a mark; `received`: NaN where the event's metadata is damaged. */
export type Mark = { readonly position: number; readonly received: number; readonly type: string };

/** What is kept of the mark of an event. */
export const markOf = ({ position, receivedAt, type }: Omit<AuditMark, 'terms'>): Mark => ({
  position: positionNumber(position),
  received: receivedAt === null ? UNKNOWN : epochMsOf(receivedAt),
  type,
});

/** The first and the last receipt of marks that have none. */
const NEVER_RECEIVED: readonly [from: number, to: number] = [Number.MAX_SAFE_INTEGER, 0];

const encoded = (marks: readonly Mark[]): AuditChunk => {
  const types: string[] = [];
  const bytes = new DataView(new ArrayBuffer(marks.length * MARK));
  let [receivedFrom, receivedTo] = NEVER_RECEIVED;
  for (const [i, { position, received, type }] of marks.entries()) {
    const known = types.indexOf(type);
    const place = known === -1 ? types.push(type) - 1 : known;
    bytes.setFloat64(i * MARK, position);
    bytes.setFloat64(i * MARK + DOUBLE, received);
    bytes.setUint16(i * MARK + 2 * DOUBLE, place);
    if (received < receivedFrom) receivedFrom = received;
    if (received > receivedTo) receivedTo = received;
  }
  return {
    firstPosition: marks[0]?.position ?? 0,
    lastPosition: marks.at(-1)?.position ?? 0,
    receivedFrom,
    receivedTo,
    types: JSON.stringify(types),
    marks: new Uint8Array(bytes.buffer),
  };
};

/** The types that a chunk holds. */
export const typesOf = (text: string): readonly string[] => (readArray(text) ?? []).map(String);

/** The marks of a chunk where they stand, for whoever looks at millions of them: as objects they would be garbage at once. */
export class ChunkMarks {
  /** How many there are. */
  readonly count: number;
  /** Types by the numbers that marks have for them. */
  readonly types: readonly string[];
  readonly #bytes: DataView;

  constructor({ marks, types }: Pick<AuditChunk, 'marks' | 'types'>) {
    this.count = Math.floor(marks.byteLength / MARK);
    this.types = typesOf(types);
    this.#bytes = new DataView(marks.buffer, marks.byteOffset, marks.byteLength);
  }

  positionAt(place: number): number {
    return this.#bytes.getFloat64(place * MARK);
  }

  receivedAt(place: number): number {
    return this.#bytes.getFloat64(place * MARK + DOUBLE);
  }

  typeAt(place: number): number {
    return this.#bytes.getUint16(place * MARK + 2 * DOUBLE);
  }
}

/** Whether a chunk begins, ends and was received as its marks say, of which there are any. */
export const isBounded = (chunk: AuditChunk, marks: ChunkMarks): boolean => {
  let [receivedFrom, receivedTo] = NEVER_RECEIVED;
  for (let place = 0; place < marks.count; place += 1) {
    const received = marks.receivedAt(place);
    if (received < receivedFrom) receivedFrom = received;
    if (received > receivedTo) receivedTo = received;
  }
  return (
    marks.count > 0 &&
    marks.count * MARK === chunk.marks.byteLength &&
    chunk.firstPosition === marks.positionAt(0) &&
    chunk.lastPosition === marks.positionAt(marks.count - 1) &&
    chunk.receivedFrom === receivedFrom &&
    chunk.receivedTo === receivedTo
  );
};

/** The marks of a chunk. */
export const marksIn = (chunk: Pick<AuditChunk, 'marks' | 'types'>): readonly Mark[] => {
  const marks = new ChunkMarks(chunk);
  return Array.from({ length: marks.count }, (_, i) => ({
    position: marks.positionAt(i),
    received: marks.receivedAt(i),
    type: marks.types[marks.typeAt(i)] ?? '',
  }));
};

/** Puts marks, which come in the order of their positions, into chunks. `begun` are the first ones of the first chunk. */
export function* chunked(marks: Iterable<Mark>, begun: readonly Mark[] = []): Generator<AuditChunk, void> {
  let filling: Mark[] = [...begun];
  for (const mark of marks) {
    if (filling.length >= MARKS_OF_A_CHUNK) {
      yield encoded(filling);
      filling = [];
    }
    filling.push(mark);
  }
  if (filling.length > 0) yield encoded(filling);
}

/** Puts marks into chunks. `last` is the chunk before them; it is filled up first, and is then the first of the answer. */
export const chunksOf = (marks: readonly AuditMark[], last: AuditChunk | null): readonly AuditChunk[] => [
  ...chunked(marks.map(markOf), last === null ? [] : marksIn(last)),
];

/** Bounds of a filter in whole milliseconds, both inclusive; the receipts of this ledger have no finer digits. */
export const receiptBounds = ({
  from,
  to,
}: AuditFilter): { readonly from: number | null; readonly to: number | null } => ({
  from: from === null ? null : epochMsOf(from) + (from.length > MILLISECONDS ? 1 : 0),
  to: to === null ? null : epochMsOf(to),
});

/** Length of an instant without digits finer than milliseconds. */
const MILLISECONDS = 24;

/** The positions of a chunk's events that a filter is for, behind another position. */
export const positionsIn = (
  chunk: Pick<AuditChunk, 'marks' | 'types'>,
  filter: AuditFilter,
  after: number,
): readonly Position[] => {
  const { from, to } = receiptBounds(filter);
  const marks = new ChunkMarks(chunk);
  const type = filter.type === null ? null : marks.types.indexOf(filter.type);
  const found: Position[] = [];
  for (let place = 0; place < marks.count; place += 1) {
    if (type !== null && marks.typeAt(place) !== type) continue;
    const [position, received] = [marks.positionAt(place), marks.receivedAt(place)];
    if (position <= after) continue;
    if (from !== null && !(received >= from)) continue;
    if (to !== null && !(received <= to)) continue;
    found.push(positionAt(position));
  }
  return found;
};
