import { html as template } from 'hono/html';

/** A piece of a page. What is put into one is escaped, unless it is such a piece itself. */
export type Html = ReturnType<typeof template>;

/** Text, other pieces, or nothing; arrays of pieces one after the other. */
type Content = Html | string | number | null | readonly Html[];

/** Makes a piece of a page of a template; every value is escaped, and stands in text or in a quoted attribute. */
export const html = (strings: TemplateStringsArray, ...values: readonly Content[]): Html =>
  template(strings, ...values);

/** The text of a whole page. */
export const pageText = async (piece: Html): Promise<string> => String(await piece);
