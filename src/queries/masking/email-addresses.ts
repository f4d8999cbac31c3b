/** What no address holds outside quotes; what lies between is looked at as one word. */
const WORD = /[^\s<>()[\],;:"]+/gu;

/** As it is, in full width, escaped in a URL (any number of times), in JSON, in source code or in HTML. */
const AT = /(@|\uFF20|\uFE6B|%(?:25)*40|\\u0040|\\u\{0*40\}|\\x40|&#0*64|&#x0*40|&commat)/iu;

/** The host at the start of what follows an at sign. */
const HOST = /^[\p{L}\p{N}.-]*/u;

/** A word that is an address as a whole, with a host that can hold no number of a phone or an account. */
const ADDRESS = /^[^\s<>()[\],;:"@]+@([\p{L}\p{N}-]+\.)+\p{L}{2,}$/u;

const QUOTED_LOCAL_PART = /"[^"]*"(?=@|\uFF20|\uFE6B|%(?:25)*40|\\u0040|\\u\{0*40\}|\\x40|&#0*64|&#x0*40|&commat)/giu;

const MASKED = /^.?\*\*\*$/u;

/** `a***`: the first character tells two customers apart and nobody who they are (docs/spec/http.md, Personal data). */
const maskedLocalPart = (part: string): string =>
  part === '' || MASKED.test(part) ? part : `${String.fromCodePoint(part.codePointAt(0) ?? 42)}***`;

/** What stands before an at sign: a local part, or the host of the address before it and then one. */
const maskedBeforeAt = (part: string, isFirst: boolean): string => {
  const host = isFirst ? '' : (HOST.exec(part)?.[0] ?? '');
  return host === part ? maskedLocalPart(part) : host + maskedLocalPart(part.slice(host.length));
};

/** Splitting by a group leaves the at signs in, at odd places. */
const maskedWord = (word: string): string => {
  const parts = word.split(AT);
  return parts
    .map((part, i) => (i % 2 === 1 || i === parts.length - 1 ? part : maskedBeforeAt(part, i === 0)))
    .join('');
};

/**
 * A text whose e-mail addresses show their first character and their host: `a***@example.com`. Payment addresses
 * (`asha@bank`) are of the same form and are masked too. Takes time linear in the text.
 */
export const withMaskedEmails = (text: string): string =>
  AT.test(text) ? text.replace(QUOTED_LOCAL_PART, '***').replace(WORD, maskedWord) : text;

/** Whether a text is one e-mail address and nothing else. */
export const isEmailAddress = (text: string): boolean => ADDRESS.test(text);
