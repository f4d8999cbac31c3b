/** RFC 9110, 5.6.7: the form that is sent today. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/**
 * How long an answer asks to wait, in milliseconds from now (RFC 9110, 10.2.3); null where the header is absent or can't
 * be read.
 *
 * @param now milliseconds since the Unix epoch
 */
export const retryAfterMs = (header: string | null, now: number): number | null => {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const at = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
};
