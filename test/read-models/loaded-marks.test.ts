import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Mark } from '../../src/read-models/audit-chunk.ts';
import { MarkLoad, mergedMarks, type LoadedMarks } from '../../src/read-models/loaded-marks.ts';

/** Those of an embedded store follow each other; those of others may be any whole numbers. */
const positions = fc.oneof(
  fc.uniqueArray(fc.integer({ min: 7, max: 66 }), { minLength: 1, maxLength: 60 }),
  fc.uniqueArray(fc.oneof(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })), {
    maxLength: 60,
  }),
);

const loadedMarks = (marks: readonly Mark[]): LoadedMarks => {
  const load = new MarkLoad();
  for (const mark of marks) load.add(mark);
  return load.loaded();
};

describe('marks of a build', () => {
  it('are one log again, however its events were dealt out to parts', () => {
    const type = fc.constantFrom('OnRampOrderEvent', 'OffRampOrderEvent', 'ConflictingDelivery');
    const received = fc.option(fc.nat(1_000_000), { nil: NaN });
    const dealt = positions.chain((some) =>
      fc
        .array(fc.tuple(fc.nat(4), type, received), { minLength: some.length, maxLength: some.length })
        .map((its) =>
          its.map(([part, of, ms], i) => ({ part, mark: { position: some[i] ?? 0, type: of, received: ms } })),
        ),
    );
    fc.assert(
      fc.property(dealt, (marks) => {
        const parts = [0, 1, 2, 3, 4].map((part) =>
          loadedMarks(marks.filter((it) => it.part === part).map(({ mark }) => mark)),
        );
        const sorted = marks.map(({ mark }) => mark).toSorted((a, b) => a.position - b.position);
        expect([...mergedMarks(parts)]).to.deep.equal(sorted);
      }),
    );
  });
});
