import type { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { BLOCKS_OF_A_RUN, blocksOf, FIRST_RANK, type RunRow } from './run-blocks.ts';
import type { TermEntries } from './term-entries.ts';
import { TermFences } from './term-fences.ts';
import { termStatements, type TermKind } from './term-statements.ts';

type Take = (term: number, rank: number, ref: number) => void;

const isWholeRun = (sql: SqliteStatements, layout: TermEntries, { no, size }: RunRow, take: Take): boolean => {
  const firsts: { readonly term: number; readonly rank: number }[] = [];
  let [isWhole, entries, lastTerm, lastRank] = [true, 0, -1, FIRST_RANK];
  for (const block of sql.iterate(termStatements.blocks, blocksOf(no))) {
    const isNext = block.no === no * BLOCKS_OF_A_RUN + 1 + firsts.length;
    if (!isNext || block.entries.length === 0 || block.entries.length % layout.width !== 0) isWhole = false;
    let isFirst = true;
    layout.each(block.entries, (term, rank, ref) => {
      if (isFirst) firsts.push({ term, rank });
      isFirst = false;
      if (term < lastTerm || (term === lastTerm && rank < lastRank)) isWhole = false;
      [lastTerm, lastRank] = [term, rank];
      entries += 1;
      take(term, rank, ref);
    });
  }
  const fences = sql.get(termStatements.block, { no: no * BLOCKS_OF_A_RUN })?.entries;
  return isWhole && entries === size && fences !== undefined && TermFences.of(firsts).equals(fences);
};

/**
 * Hands over every entry of an index, in no order; whether its runs are whole and sorted, and their fences those of their
 * blocks.
 */
export const inspectRuns = (sql: SqliteStatements, kind: TermKind, layout: TermEntries, take: Take): boolean =>
  // Each of them is gone through, also behind one that is not whole.
  sql.all(termStatements.runs, { kind }).filter((run) => !isWholeRun(sql, layout, run, take)).length === 0;
