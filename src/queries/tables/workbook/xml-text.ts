/** What would be read as something else: marks of XML, and what looks like the escape of a character in a workbook. */
const SPECIAL = /[&<>"]|_(?=x[\da-f]{4}_)/giu;

/** What XML does not hold, or not as it is: control characters, halves of characters, and what is no character. */
const UNHELD = /(?![\t\n])[\p{Cc}\p{Surrogate}\uFFFE\uFFFF]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  _: '_x005F_',
};

/** Half a character says nothing, and spreadsheets lose what follows it. */
const hexEscape = (character: string): string =>
  /\p{Surrogate}/u.test(character)
    ? '\uFFFD'
    : `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;

/** A text as it stands in the XML of a workbook, and comes out again as it was; halves of characters are shown as unknown. */
export const xmlText = (text: string): string =>
  text.replaceAll(SPECIAL, (character) => ENTITIES[character] ?? '').replaceAll(UNHELD, hexEscape);
