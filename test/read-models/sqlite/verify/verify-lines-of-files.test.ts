import * as fc from 'fast-check';
import { expect } from 'chai';
import { lineOf } from '../../../support/match-batches.ts';
import { paid, PlayedMatch } from '../../../support/played-match.ts';
import { runs } from '../../../support/runs.ts';
import { debitWith, wrapped } from '../../../support/wrapped-debit.ts';

const TEXT = 'PAYOUTS 412340000001 / 412340000002 FOR ASHA / HDFC5202603101234567 OF MARCH';

/** How many more lines than that one a file has; three lines come in at once, those of larger files in parts. */
const fillers = fc.integer({ min: 0, max: 5 });

/** That one line as a file has it: wrapped somewhere, with more or fewer of its references the bank's own. */
const asOneFileHasIt = fc.record({
  width: fc.integer({ min: 12, max: 65 }),
  own: fc.constantFrom('all', 'none', 'first'),
  fillers,
});

describe('verify, over a line that several files have otherwise', () => {
  it('names nothing, in whatever order they come, while any of them is brought in, and names what the line is not found by', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(asOneFileHasIt, { minLength: 2, maxLength: 4 }),
        fc.boolean(),
        async (files, settlesBetween) => {
          const played = new PlayedMatch(100);
          try {
            played.play(paid('o1', '412340000001'));
            for (const [i, { width, own, fillers: more }] of files.entries()) {
              const line = await debitWith('2603100310D100,NTRFNONREF', [
                `:86:${wrapped(TEXT, width, width).join('\r\n')}`,
              ]);
              const { atWraps: _read, ...kept } = line;
              const ownReferences = { all: kept.references, none: [], first: kept.references.slice(0, 1) }[own];
              const others = Array.from({ length: more }, (_, no) => lineOf(`x${i} ${no}`, {}));
              played.play({ kind: 'file', lines: [...others, { ...kept, ownReferences }] });
              expect(played.problems()).to.deep.equal([]);
              if (settlesBetween) played.settle();
              expect(played.problems()).to.deep.equal([]);
            }
            while (played.due() !== null) {
              played.play({ kind: 'settle' });
              expect(played.problems()).to.deep.equal([]);
            }
            const further = played.database
              .prepare(`UPDATE match_evidence SET further = '[1]' WHERE further IS NOT NULL`)
              .run();
            expect(played.problems().length).to.equal(further.changes);
          } finally {
            played.close();
          }
        },
      ),
      { numRuns: runs(25) },
    );
  });
});
