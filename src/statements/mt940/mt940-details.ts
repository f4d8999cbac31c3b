import { joinedText } from '../references.ts';
import { joints, joinWrapped, wordsAtJoints } from './joined-lines.ts';

/** What field 86 says of an entry. */
export type Mt940Details = {
  /** What stands where the bank writes references. */
  readonly references: readonly string[];
  /** Words of its free text that may be references too. */
  readonly words: readonly string[];
  readonly text: string;
  /** What stands around each place where its free text was wrapped. */
  readonly joints: readonly string[];
};

/** `166?00GUTSCHRIFT?20…`: three digits at most, and fields of two digits behind a character of the bank's choice. */
const GERMAN = /^(?:\d{1,3})?([?<>~^@|+*])(?:00|1[0-9]|2[0-9]|3[0-9]|6[0-9])/;

/** Words that begin a part of the purpose of a SEPA payment. */
const SEPA =
  /(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC|PURP|MDAT|SQTP|ORCR|ORMR|DDAT|BREF|RREF|RTRN)\+/;

/** Which of them name a payment. */
const NAMING = new Set(['EREF', 'KREF', 'MREF', 'BREF', 'RREF']);

/** The width that pieces of the purpose have where a word is cut in two. */
const PURPOSE_WIDTH = 27;

type Part = { readonly word: string | null; readonly text: string };

/** Parts of the purpose by the words that begin them. A part that ends before the width of a piece ends with the piece. */
const sepaParts = (pieces: readonly string[]): readonly Part[] => {
  const parts: { word: string | null; text: string; full: boolean }[] = [];
  for (const piece of pieces) {
    const split = piece.split(SEPA);
    split.forEach((text, at) => {
      if (at % 2 === 1) return;
      const word = split[at - 1];
      const last = parts.at(-1);
      const full = at === split.length - 1 && piece.length >= PURPOSE_WIDTH;
      if (word !== undefined) parts.push({ word, text, full });
      else if (text === '') return;
      else if (last === undefined) parts.push({ word: null, text, full });
      else if (last.full) Object.assign(last, { text: last.text + text, full });
      else if (last.word !== null && NAMING.has(last.word)) parts.push({ word: null, text, full });
      else Object.assign(last, { text: `${last.text} ${text}`, full });
    });
  }
  return parts;
};

const isOfPurpose = (code: number): boolean => (code >= 20 && code <= 29) || (code >= 60 && code <= 69);

/** The code of a German field; a line of the file may end within it. */
const FIELD_CODE = /^\n?\d\n?\d/;

/** The pieces of a purpose, as the width of its fields and that of the file's lines have cut it. */
const purposePieces = (lines: readonly string[], separator: string): readonly string[] =>
  lines
    .join('\n')
    .split(separator)
    .slice(1)
    .flatMap((field) => {
      const code = Number((FIELD_CODE.exec(field)?.[0] ?? '').replaceAll('\n', ''));
      return isOfPurpose(code) ? field.replace(FIELD_CODE, '').split('\n') : [];
    });

const germanDetails = (lines: readonly string[], separator: string): Mt940Details => {
  const fields = lines
    .join('')
    .split(separator)
    .slice(1)
    .map((field) => ({ code: Number(field.slice(0, 2)), text: field.slice(2) }));
  const within = (from: number, to: number): readonly string[] =>
    fields.flatMap(({ code, text }) => (code >= from && code <= to && text.trim() !== '' ? [text] : []));
  const purpose = sepaParts([...within(20, 29), ...within(60, 69)]);
  return {
    references: purpose.flatMap(({ word, text }) => (word !== null && NAMING.has(word) ? [text] : [])),
    words: [],
    text: joinedText([
      ...purpose.map(({ word, text }) => (word === null ? text : `${word}+${text}`)),
      ...within(0, 0),
      within(32, 33).join(' '),
      ...within(31, 31),
      ...within(38, 38),
    ]),
    joints: joints(purposePieces(lines, separator)),
  };
};

/** `/EREF/…/REMI/…`: words between slashes, as Dutch, Belgian and Nordic banks write them. */
const SLASHED =
  /\/(EREF|PREF|KREF|IREF|MARF|CSID|CNTP|REMI|TRTP|IBAN|BIC|NAME|BENM|ORDP|ISDT|RTRN|TRCD|PURP|ULTC|ULTD|ULTB|OCMT|CHGS|EXCH|SVCL|ADDR|ID|TR|SRF|RREF|ROC|INS|CREF|SDPT)\//;

const SLASHED_START = /^\/[A-Z]{2,4}\//;

const NAMING_SLASHED = new Set(['EREF', 'PREF', 'KREF', 'IREF', 'MARF', 'SRF', 'RREF', 'CREF', 'ROC']);

/** A value without the slashes behind it, which are those of the next word. */
const withoutSlashes = (value: string): string => {
  let end = value.length;
  while (end > 0 && value.charAt(end - 1) === '/') end -= 1;
  return value.slice(0, end);
};

const slashedDetails = (lines: readonly string[]): Mt940Details => {
  const text = lines.join('');
  const split = text.split(SLASHED);
  const references = split.flatMap((part, at) => {
    const word = split[at - 1];
    if (at % 2 === 1 || word === undefined || !NAMING_SLASHED.has(word)) return [];
    const value = withoutSlashes(part);
    // Rabobank's EREF has a date and a time before the reference.
    return [value, value.replace(/^\d\d-\d\d-\d{4} \d\d:\d\d /, '')];
  });
  return { references, words: wordsAtJoints(lines), text: joinedText([text]), joints: joints(lines) };
};

/** Reads field 86 of an entry in whichever way the bank writes it. */
export const mt940Details = (lines: readonly string[]): Mt940Details => {
  const start = lines.join('').trimStart();
  const separator = GERMAN.exec(start)?.[1];
  if (separator !== undefined) return germanDetails(lines, separator);
  if (SLASHED_START.test(start)) return slashedDetails(lines);
  const text = joinedText([joinWrapped(lines)]);
  return { references: [], words: wordsAtJoints(lines), text, joints: joints(lines) };
};
