import { html, type Html } from '../html.ts';

const LOOKS = { open: 'badge open', closed: 'badge settled', unreadable: 'badge failed' } as const;

/** Whether the figures of a month are fixed. */
export const periodBadge = (state: keyof typeof LOOKS): Html =>
  html`<span class="${LOOKS[state]}"><span class="dot" aria-hidden="true"></span>${state}</span>`;
