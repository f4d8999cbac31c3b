import * as t from 'io-ts';

/** What a database takes and gives: an integer is a number, bytes are a Uint8Array. */
export type SqlValue = string | number | null | Uint8Array;

/** A statement of plain SQL with parameters by name (`:order_id`), and how the rows that it answers are read. */
export type Statement<P, R> = {
  readonly text: string;
  /** The names of its parameters; their types are for the compiler. */
  readonly parameters: { readonly is: t.Is<P> };
  readonly row: { readonly is: t.Is<R> };
};

/** Bytes of a column. */
export const bytes = new t.Type<Uint8Array>(
  'bytes',
  (u): u is Uint8Array => u instanceof Uint8Array,
  (u, c) => (u instanceof Uint8Array ? t.success(u) : t.failure(u, c)),
  t.identity,
);

/** Bytes of a column, as SQLite's client hands them out. */
export const buffer = new t.Type<Buffer>(
  'buffer',
  (u): u is Buffer => Buffer.isBuffer(u),
  (u, c) => (Buffer.isBuffer(u) ? t.success(u) : t.failure(u, c)),
  t.identity,
);

/** A column that may be null. */
export const nullable = <C extends t.Mixed>(codec: C): t.UnionC<[C, t.NullC]> => t.union([codec, t.null]);

const NAME = /:([a-z][a-z0-9_]*)/g;

/** A parameter without a value, or a value without a parameter, would be found only when the statement runs. */
const checkNames = (text: string, names: readonly string[]): void => {
  const inText = new Set([...text.matchAll(NAME)].map(([, name]) => name ?? ''));
  const differs = inText.size !== names.length || names.some((name) => !inText.has(name));
  if (differs) throw new Error(`the parameters are ${names.join(', ')}, but the text is ${text}`);
};

/** A text whose parameters go by their places, and the names of what stands there. */
export const byPlaces = (text: string): { readonly text: string; readonly names: readonly string[] } => {
  const names: string[] = [];
  const placed = text.replaceAll(NAME, (_, name: string) => {
    names.push(name);
    return '?';
  });
  return { text: placed, names };
};

/** A statement that answers rows. */
export const query = <P extends t.Props, R>(
  text: string,
  parameters: P,
  row: { readonly is: t.Is<R> },
): Statement<t.TypeOfProps<P>, R> => {
  checkNames(text, Object.keys(parameters));
  return { text, parameters: t.type(parameters), row };
};

/** A statement that answers none. */
export const command = <P extends t.Props>(text: string, parameters: P): Statement<t.TypeOfProps<P>, never> =>
  query(text, parameters, t.never);

/** A table that rows are put into, many at a time, and its columns in the order in which a row has its values. */
export type Insertion<Row extends readonly SqlValue[]> = {
  readonly table: string;
  readonly columns: { readonly [Place in keyof Row]: string };
  /** The values of one row, as SQL has them. */
  readonly values: string;
  readonly conflicts: string;
};

/**
 * Rows to put into a table. Their values go by their places, and up to 32 rows with one statement: half of what a
 * statement for each row takes, with values by name.
 *
 * @param texts columns whose values may come as bytes of UTF-8
 * @param conflicts what becomes of a row that is there (`ON CONFLICT DO NOTHING`); without it that is an error
 */
export const insertion = <Row extends readonly SqlValue[]>(
  table: string,
  columns: { readonly [Place in keyof Row]: string },
  { texts = [], conflicts = '' }: { readonly texts?: readonly string[]; readonly conflicts?: string } = {},
): Insertion<Row> => {
  const values = columns.map((name) => (texts.includes(name) ? 'CAST(? AS TEXT)' : '?'));
  return { table, columns, values: `(${values.join(', ')})`, conflicts };
};
