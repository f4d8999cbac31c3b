import { html as template } from 'hono/html';
import { withUnseenShown } from '../domain/unseen-characters.ts';

/** A piece of a page. What is put into one is escaped, unless it is such a piece itself. */
export type Html = ReturnType<typeof template>;

/** Text, other pieces, or nothing; arrays of pieces one after the other. */
type Content = Html | string | number | null | readonly Html[];

/** A text in which characters that steer are shown by their codes; lines and tabs stay. */
const visible = (text: string): string =>
  withUnseenShown(text, (mark) =>
    mark === '\n' || mark === '\t' ? mark : `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`,
  );

const shown = (value: Content): Content => (typeof value === 'string' ? visible(value) : value);

/** Makes a piece of a page of a template; every value is escaped, and stands in text or in a quoted attribute. */
export const html = (strings: TemplateStringsArray, ...values: readonly Content[]): Html =>
  template(strings, ...values.map(shown));

/** The text of a whole page. */
export const pageText = async (piece: Html): Promise<string> => String(await piece);
