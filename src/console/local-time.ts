import { epochMsOf, instantOf, type Instant } from '../domain/instant.ts';
import { zoneOffset } from '../domain/zone-offset.ts';
import { html, type Html } from './html.ts';

/** How moments are shown: in the business time zone, to the second, UTC when pointed at. */
export type Times = {
  readonly timeZone: string;
  /** `2026-01-31 14:05:09`. */
  readonly text: (instant: Instant) => string;
  readonly time: (instant: Instant) => Html;
};

export const timesIn = (timeZone: string): Times => {
  const offsetAt = zoneOffset(timeZone);
  const text = (instant: Instant): string => {
    const epochMs = epochMsOf(instant);
    return instantOf(epochMs + offsetAt(epochMs))
      .slice(0, 19)
      .replace('T', ' ');
  };
  return {
    timeZone,
    text,
    time: (instant) =>
      html`<time datetime="${instant}" title="${instant.replace('T', ' ').replace('Z', '')} UTC"
        >${text(instant)}</time
      >`,
  };
};
