/**
 * Why a bank file is refused whole (docs/spec/statements.md, What is refused). `line` is the line of the file, or the row of
 * the sheet, from 1; null where no one line is at fault. `field` is the bank's name of what can't be read: a tag, a path, a column.
 */
export type StatementUnreadable = {
  readonly _tag: 'StatementUnreadable';
  readonly line: number | null;
  readonly field: string;
  readonly detail: string;
};

export const unreadable = (line: number | null, field: string, detail: string): StatementUnreadable => ({
  _tag: 'StatementUnreadable',
  line,
  field,
  detail,
});

/** Tells a refusal from what was read. */
export const isUnreadable = (read: unknown): read is StatementUnreadable =>
  typeof read === 'object' && read !== null && '_tag' in read && read._tag === 'StatementUnreadable';
