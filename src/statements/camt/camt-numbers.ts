import type { ReadStatement } from '../read-statement.ts';
import { textAt, type XmlElement } from '../xml-element.ts';

/** Parts of a statement that number it, and its page. */
const NUMBERS = new Set(['StmtPgntn', 'LglSeqNb', 'ElctrncSeqNb']);

export const isNumber = ({ name }: XmlElement): boolean => NUMBERS.has(name);

/** What all parts of a name say; null where there is none, or they say several things. */
const oneText = (parts: readonly XmlElement[], name: string, textOf: (part: XmlElement) => string): string | null => {
  const [text = '', ...others] = new Set(parts.filter((part) => part.name === name).map(textOf));
  return text === '' || others.length > 0 ? null : text;
};

const ownText = ({ text }: XmlElement): string => text.trim();

/** The number of a statement and of its page, by those parts of it that number it; null where they do not say both. */
export const numberedIn = (parts: readonly XmlElement[]): ReadStatement['numbered'] => {
  const page = oneText(parts, 'StmtPgntn', (part) => textAt(part, 'PgNb') ?? '');
  const statement = oneText(parts, 'LglSeqNb', ownText) ?? oneText(parts, 'ElctrncSeqNb', ownText);
  return page === null || statement === null || !/^\d{1,5}$/.test(page) ? null : { statement, page: Number(page) };
};
