import { html, type Html } from '../html.ts';

/** Whether the figures of a month are fixed. */
export const periodBadge = (state: 'open' | 'closed'): Html =>
  html`<span class="${state === 'closed' ? 'badge settled' : 'badge open'}"
    ><span class="dot" aria-hidden="true"></span>${state}</span
  >`;
