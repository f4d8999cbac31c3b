import { expect } from 'chai';
import { isOrderRef } from '../../../../src/read-models/sqlite/match/match-refs.ts';
import { TermIndex } from '../../../../src/read-models/sqlite/terms/term-index.ts';
import { TermSegment } from '../../../../src/read-models/sqlite/terms/term-segment.ts';
import { lineOf } from '../../../support/match-batches.ts';
import { paid, PlayedMatch } from '../../../support/played-match.ts';

type Entry = { readonly term: number; readonly rank: number; readonly ref: number };

describe('verify, over what the match keeps', () => {
  let played: PlayedMatch;

  /** A large item of an order and three lines, and one of an order and a line. */
  beforeEach(() => {
    played = new PlayedMatch(2);
    played.play(paid('o1'));
    played.play(paid('o7', 'U7'));
    const lines = ['a', 'b', 'c'].map((name) => lineOf(name, {}));
    played.play({ kind: 'file', lines: [...lines, lineOf('other', { references: ['U7'] })] });
    played.settle();
  });
  afterEach(() => played.close());

  const details = (): readonly (string | undefined)[] => played.problems().map(({ detail }) => detail);

  /** Writes the body of an item in another spelling, which no other check of it can see. */
  const respell = (order: string): string =>
    played.database
      .prepare<[string], { readonly item_id: string }>(
        `UPDATE match_items SET body = replace(body, '"breaks":', '"breaks": ') WHERE body LIKE ? RETURNING item_id`,
      )
      .all(`%"order:${order}"%`)
      .map(({ item_id }) => item_id)
      .join();

  it('names a body of an item that was changed, while nothing waits and while something else does', () => {
    expect(details()).to.deep.equal([]);
    const item = respell('o7');
    expect(item).to.match(/^\w+$/);
    expect(details()).to.deep.equal([`item ${item} differs`]);
    played.play(paid('o2'));
    expect(played.due()).not.to.equal(null);
    expect(details()).to.deep.equal([`item ${item} differs`]);
    played.settle();
    expect([played.due(), details()]).to.deep.equal([null, [`item ${item} differs`]]);
  });

  /** Puts other entries in the place of those that lead to lines; answers which these were. */
  const replace = (change: (lines: readonly Entry[]) => readonly Entry[]): readonly Entry[] => {
    const [lines, orders]: [Entry[], Entry[]] = [[], []];
    const index = new TermIndex(played.database, 'match');
    index.inspect((term, rank, ref) => (isOrderRef(ref) ? orders : lines).push({ term, rank, ref }));
    played.database.exec(`
      DELETE FROM term_blocks WHERE no / 65536 IN (SELECT no FROM term_runs WHERE kind = 'match');
      DELETE FROM term_runs WHERE kind = 'match'`);
    const segment = new TermSegment('match');
    for (const { term, rank, ref } of [...orders, ...change(lines)]) segment.add(term, rank, ref);
    index.addRun(segment.take());
    return lines;
  };

  /** What is named while entries are changed so. */
  const afterwards = (change: (lines: readonly Entry[]) => readonly Entry[]): string => {
    const before = replace(change);
    const found = details().join('\n');
    replace(() => before);
    return found;
  };

  it('names each entry that leads to a line and is gone', () => {
    const entries = replace((lines) => lines).length;
    expect(entries).to.be.greaterThan(8);
    expect(details()).to.deep.equal([]);
    for (let gone = 0; gone < entries; gone += 1) {
      const found = afterwards((lines) => lines.filter((_, place) => place !== gone));
      expect(found, String(gone)).to.match(/number \d+ of the match (differs|is found by other terms)/);
    }
    expect(details()).to.deep.equal([]);
  });

  it('names entries that lead to a line by what it never had, once more, and to none', () => {
    const other = { term: 7, rank: 9_999, ref: 9_999 };
    for (const change of [
      (lines: readonly Entry[]) => [...lines, ...lines.slice(0, 1).map((entry) => ({ ...entry, term: 7 }))],
      (lines: readonly Entry[]) => [...lines, ...lines.slice(0, 1)],
      (lines: readonly Entry[]) => [...lines, other],
    ])
      expect(afterwards(change)).to.match(/number \d+ of the match is found by other terms/);
    expect(details()).to.deep.equal([]);
  });

  it('names runs that no search would find its way through', () => {
    for (const kind of ['match', 'item']) {
      played.database.exec(`UPDATE term_runs SET size = size + 1 WHERE kind = '${kind}'`);
      expect(details().join('\n'), kind).to.match(/the index that finds .* is damaged/);
      played.database.exec(`UPDATE term_runs SET size = size - 1 WHERE kind = '${kind}'`);
    }
    expect(details()).to.deep.equal([]);
  });

  it('names nothing where another file says less of whose the references of a line are, and it is found by its day all the same', () => {
    const own = lineOf('own', { references: ['X1'], ownReferences: ['X1'] });
    played.play({ kind: 'file', lines: [own] });
    expect(details()).to.deep.equal([]);
    played.play({ kind: 'file', lines: [{ ...own, ownReferences: [] }] });
    played.settle();
    expect(details()).to.deep.equal([]);
  });
});
