import type { Flow } from '../domain/flow.ts';
import type { Phase } from '../domain/status.ts';
import { html, type Html } from './html.ts';
import { PHASE_WORDS, statusWords } from '../queries/words/status-words.ts';

/** Words in the colour of a phase and, for those who see no colours, with its name. */
export const phaseBadge = (words: Html | string, phase: Phase): Html =>
  html`<span class="badge ${phase}" title="${PHASE_WORDS[phase]}"
    ><span class="dot" aria-hidden="true"></span><span>${words}</span></span
  >`;

/** A name with the code that it stands for in small print, where that says more than the name. */
export const namedCode = (name: string, code: string): Html | string =>
  name.toLowerCase() === code.toLowerCase() ? name : html`${name} <span class="code">${code}</span>`;

/** A status by its name, with the provider's own word for it in small print, in the colour of its phase. */
export const statusBadge = (flow: Flow, status: string, phase: Phase): Html =>
  phaseBadge(namedCode(statusWords(flow, status), status), phase);
