import { expect } from 'chai';
import * as fc from 'fast-check';
import { branded } from '../../src/domain/brand.ts';
import type { EventId, Revision, Sha256, StreamName } from '../../src/domain/ids.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { leafTextOf, type LeafContent } from '../../src/proofs/log-leaf.ts';
import { anyText } from '../support/arbitraries.ts';

const names = fc.oneof(
  fc.string({ unit: 'grapheme-ascii' }),
  anyText(),
  fc.constantFrom('"', '\\', '\u007f', '\ud800'),
);

const contents: fc.Arbitrary<LeafContent> = fc.record({
  eventId: fc.oneof(fc.uuid(), names).map((text) => branded<EventId>(text)),
  recordSha256: fc.option(names.map((text): Sha256 => sha256(text))),
  revision: fc.maxSafeNat().map((number) => branded<Revision>(number)),
  stream: names.map((text) => branded<StreamName>(text)),
  type: names,
});

describe('the leaf of an event', () => {
  it('is what JSON.stringify writes, whatever its names hold', () => {
    fc.assert(
      fc.property(contents, (content) => {
        const { eventId, recordSha256, revision, stream, type } = content;
        expect(leafTextOf(content)).to.equal(JSON.stringify({ eventId, recordSha256, revision, stream, type }));
      }),
      { numRuns: 1_000 },
    );
  });
});
