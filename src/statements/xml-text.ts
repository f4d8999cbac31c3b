import { decodeAs, encodingOfMark, withoutNul } from './read-text.ts';
import { unreadable, type StatementUnreadable } from './unreadable.ts';

const DECLARED = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/;

/** The text of an XML file: by its byte-order mark, else by the encoding that it declares, else UTF-8. */
export const xmlText = (bytes: Uint8Array): string | StatementUnreadable => {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 400));
  const encoding = encodingOfMark(bytes) ?? DECLARED.exec(start)?.[1] ?? 'utf-8';
  // A declaration that can be read byte by byte is not in the encoding of two bytes that it names.
  const named = /^utf-?16/i.test(encoding) && encodingOfMark(bytes) === null ? 'utf-8' : encoding;
  const text = decodeAs(bytes, named);
  return text === null ? unreadable(1, 'encoding', `the file says that it is ${named}, and is not`) : withoutNul(text);
};
