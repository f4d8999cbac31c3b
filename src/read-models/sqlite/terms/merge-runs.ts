import type { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { mergedRuns } from './merged-runs.ts';
import { BLOCKS_OF_A_RUN, blocksOf, type RunRow } from './run-blocks.ts';
import type { TermEntries } from './term-entries.ts';
import { TermFences } from './term-fences.ts';
import { termStatements, type TermKind } from './term-statements.ts';

/** Runs of about one size that are merged into one. */
export const MERGED = 16;
/** So many of them are not left for later. */
export const TOO_MANY = 4 * MERGED;
/** Entries of a run that is not merged any more, so that writing them once more never takes long. */
export const FULL = 262_144;

/** Sizes of one class lie within a factor of `MERGED`. */
const classOf = (size: number): number => Math.floor(Math.log2(Math.max(1, size)) / Math.log2(MERGED));

/** The first runs of one class that are so many, or large enough together to be left alone then. */
const toMerge = (sql: SqliteStatements, kind: TermKind, many: number): readonly RunRow[] => {
  const classes = new Map<number, RunRow[]>();
  for (const run of sql.all(termStatements.runs, { kind })) {
    if (run.size >= FULL) continue;
    const of = classOf(run.size);
    classes.set(of, [...(classes.get(of) ?? []), run]);
  }
  const isLarge = (runs: readonly RunRow[]): boolean =>
    runs.length > 1 && runs.reduce((sum, { size }) => sum + size, 0) >= (FULL / MERGED) * many;
  const due = [...classes.values()].find((runs) => runs.length >= many || isLarge(runs));
  return (due ?? []).slice(-MERGED);
};

/** The blocks of a run, one by one, so that others can be read and written in between. */
function* blocksIn(sql: SqliteStatements, run: number): Generator<Uint8Array, void> {
  for (let no = run * BLOCKS_OF_A_RUN + 1; ; no += 1) {
    const block = sql.get(termStatements.block, { no });
    if (block === undefined) return;
    yield block.entries;
  }
}

const addMerged = (sql: SqliteStatements, kind: TermKind, layout: TermEntries, merged: readonly RunRow[]): void => {
  const size = merged.reduce((sum, run) => sum + run.size, 0);
  const { no } = sql.one(termStatements.addRun, { kind, size });
  const first = no * BLOCKS_OF_A_RUN;
  const firsts: { readonly term: number; readonly rank: number }[] = [];
  const runs = merged.map((run) => blocksIn(sql, run.no));
  for (const { term, rank, entries } of mergedRuns(layout, runs)) {
    firsts.push({ term, rank });
    sql.run(termStatements.addBlock, { no: first + firsts.length, entries });
  }
  sql.run(termStatements.addBlock, { no: first, entries: TermFences.of(firsts) });
};

/**
 * Merges runs of one size into one, where there are so many. It belongs into a transaction.
 *
 * @returns whether there were
 */
export const mergeRuns = (sql: SqliteStatements, kind: TermKind, layout: TermEntries, many: number): boolean => {
  const merged = toMerge(sql, kind, many);
  if (merged.length === 0) return false;
  // It is added before they go, so that no number is ever given twice.
  addMerged(sql, kind, layout, merged);
  for (const { no } of merged) {
    sql.run(termStatements.removeRun, { no });
    sql.run(termStatements.removeBlocks, { ...blocksOf(no), first: no * BLOCKS_OF_A_RUN });
  }
  return true;
};
