import { expect } from 'chai';
import * as fc from 'fast-check';
import type { AuditMark } from '../../projections/audit-trail/index.ts';
import { branded } from '../../src/domain/brand.ts';
import type { Position } from '../../src/domain/ids.ts';
import { instantOf, type Instant } from '../../src/domain/instant.ts';
import { positionAt, positionNumber } from '../../src/domain/position.ts';
import {
  chunksOf,
  MARKS_OF_A_CHUNK,
  positionsIn,
  typesOf,
  type AuditChunk,
} from '../../src/read-models/audit-chunk.ts';
import { anyText } from '../support/arbitraries.ts';

const EVERYTHING = { type: null, from: null, to: null };

const types = fc.oneof(fc.constantFrom('OnRampFiatPending', 'ConflictingDelivery', '__proto__', '\ud800'), anyText(3));
const receipts = fc.option(
  fc.oneof(fc.constantFrom(0, 1, 1_700_000_000_000), fc.nat(2_000_000_000_000)).map(instantOf),
  { freq: 5 },
);

/** Marks in the order of positions, some of which are missing. */
const marks = (maxLength: number): fc.Arbitrary<readonly AuditMark[]> =>
  fc.array(fc.record({ gap: fc.nat(3), type: types, receivedAt: receipts }), { maxLength }).map((some) => {
    let position = -1;
    return some.map(({ gap, type, receivedAt }) => {
      position += 1 + gap;
      return { position: positionAt(position), type, receivedAt, terms: [] };
    });
  });

const positions = (some: readonly AuditMark[]): readonly Position[] => some.map(({ position }) => position);

describe('a chunk of the trail', () => {
  it('gives back its events by type and receipt', () => {
    fc.assert(
      fc.property(
        marks(40),
        types,
        receipts,
        receipts,
        fc.integer({ min: -1, max: 60 }),
        (all, type, from, to, after) => {
          const chunks = chunksOf(all, null);
          const found = (filter: Parameters<typeof positionsIn>[1], behind = -1): readonly Position[] =>
            chunks.flatMap((chunk) => positionsIn(chunk, filter, behind));
          expect(found(EVERYTHING)).to.deep.equal(positions(all));
          expect(found(EVERYTHING, after)).to.deep.equal(
            positions(all.filter((mark) => positionNumber(mark.position) > after)),
          );
          expect(found({ ...EVERYTHING, type })).to.deep.equal(positions(all.filter((mark) => mark.type === type)));
          const within = all.filter(
            ({ receivedAt }) =>
              (from === null || (receivedAt !== null && receivedAt >= from)) &&
              (to === null || (receivedAt !== null && receivedAt <= to)),
          );
          expect(found({ ...EVERYTHING, from, to })).to.deep.equal(positions(within));
          for (const chunk of chunks) {
            expect(typesOf(chunk.types).includes(type)).to.equal(all.some((mark) => mark.type === type));
          }
        },
      ),
    );
  });

  it('is filled up before the next one, whatever came in which batches', () => {
    const mark = (position: number): AuditMark => ({
      position: positionAt(position),
      type: `type ${position % 3}`,
      receivedAt: position % 7 === 0 ? null : instantOf(position),
      terms: [],
    });
    const all = Array.from({ length: 2 * MARKS_OF_A_CHUNK + 5 }, (_, i) => mark(i));
    const atOnce = chunksOf(all, null);
    expect(atOnce.map(({ firstPosition, lastPosition }) => [firstPosition, lastPosition])).to.deep.equal([
      [0, MARKS_OF_A_CHUNK - 1],
      [MARKS_OF_A_CHUNK, 2 * MARKS_OF_A_CHUNK - 1],
      [2 * MARKS_OF_A_CHUNK, 2 * MARKS_OF_A_CHUNK + 4],
    ]);
    for (const size of [1, 100, MARKS_OF_A_CHUNK, MARKS_OF_A_CHUNK + 1]) {
      const chunks = new Map<number, AuditChunk>();
      let last: AuditChunk | null = null;
      for (let from = size === 1 ? all.length - 10 : 0; from < all.length; from += size) {
        if (size === 1 && last === null) last = chunksOf(all.slice(0, from), null).at(-1) ?? null;
        for (const chunk of chunksOf(all.slice(from, from + size), last)) {
          chunks.set(chunk.firstPosition, chunk);
          last = chunk;
        }
      }
      const known = new Map(atOnce.map((chunk) => [chunk.firstPosition, chunk]));
      for (const [first, chunk] of chunks) expect(chunk).to.deep.equal(known.get(first));
      if (size !== 1) expect(chunks.size).to.equal(3);
    }
  });

  it('knows the bounds of its receipts', () => {
    const at = (ms: number | null): AuditMark => ({
      position: positionAt(1),
      type: 'a',
      receivedAt: ms === null ? null : instantOf(ms),
      terms: [],
    });
    const [known] = chunksOf([at(20), at(null), at(10), at(30)], null);
    expect([known?.receivedFrom, known?.receivedTo]).to.deep.equal([10, 30]);
    const [unknown] = chunksOf([at(null)], null);
    expect(unknown?.receivedFrom).to.be.above(unknown?.receivedTo ?? Infinity);
    const finer = branded<Instant>('1970-01-01T00:00:00.0200001Z');
    expect(
      positionsIn(
        chunksOf([at(20)], null)[0] ?? { marks: new Uint8Array(), types: '[]' },
        { ...EVERYTHING, from: finer },
        -1,
      ),
    ).to.deep.equal([]);
  });
});
