const BEGINNING = 'ramp-ledger/';
const BYTES = 8;
/** The beginning, and two digits for each byte. */
const WHOLE = /^ramp-ledger\/[0-9a-f]{16}$/;

/** A new name for a log to which nobody gave one: `ramp-ledger/` and 16 hex digits. */
export const newOrigin = (random: (count: number) => Buffer): string => `${BEGINNING}${random(BYTES).toString('hex')}`;

/** Whether a name has the form of one that was made so. */
export const isGeneratedOrigin = (text: string): boolean => WHOLE.test(text);

/** Whether a text begins as such a name does, or is a beginning of one, and is no whole one: what a torn write leaves. */
export const isTornOrigin = (text: string): boolean =>
  !isGeneratedOrigin(text) && (text.startsWith(BEGINNING) || BEGINNING.startsWith(text));
