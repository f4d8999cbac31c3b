/** A format of nothing but zeros, each a digit that is written even where the number has none there: those of references. */
const ZEROS = /^0{2,40}$/;

/** Whether a workbook's styles have such a format. */
export const mayFill = (styles: string): boolean => /formatCode=["']0{2,40}["']/.test(styles);

/** A whole number as people see it, with the zeros before it that its format writes and the number does not have: a UTR of `000412`. */
export const zeroFilled = (text: string, format: string): string =>
  ZEROS.test(format) && /^[0-9]+$/.test(text) ? text.padStart(format.length, '0') : text;
