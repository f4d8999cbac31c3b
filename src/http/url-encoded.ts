/** The largest form that this ledger shows has some seventy fields, one for each column of a bank's table. */
export const MOST_FIELDS = 256;

const hasTooManyFields = (text: string): boolean => {
  let at = -1;
  for (let fields = 0; fields < MOST_FIELDS; fields += 1) {
    at = text.indexOf('&', at + 1);
    if (at === -1) return false;
  }
  return true;
};

/** Whether every escape is one, and is UTF-8 together with those beside it. No character of UTF-8 goes beyond the end of a field. */
export const isWellEscaped = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * The fields of an `application/x-www-form-urlencoded` text, a query string or a form; null where it has more than 256 of them,
 * an escape that is not `%` and two hex digits, or escapes that are no UTF-8.
 *
 * The one place that reads such a text of somebody else. For each field that is not well-formed the platform's parser throws and
 * catches an error, which takes it a hundred times as long: it is given none of them, and a text that is not well-formed costs one.
 */
export const readUrlEncoded = (text: string): URLSearchParams | null =>
  hasTooManyFields(text) || !isWellEscaped(text) ? null : new URLSearchParams(text);
