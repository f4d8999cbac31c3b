import type { Phase } from '../domain/status.ts';
import { html, type Html } from './html.ts';

/** What a phase means, for people. */
export const PHASE_WORDS: Readonly<Record<Phase, string>> = {
  open: 'Open',
  settled: 'Settled',
  deemed: 'Deemed',
  failed: 'Failed',
  refunding: 'Refunding',
  refunded: 'Refunded',
  expired: 'Expired',
};

/** A status in the colour of its phase and, for those who see no colours, in words. */
export const statusBadge = (status: string, phase: Phase): Html =>
  html`<span class="badge ${phase}" title="${PHASE_WORDS[phase]}"
    ><span class="dot" aria-hidden="true"></span>${status}</span
  >`;
