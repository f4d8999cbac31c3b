import type { DecisionKind } from '../../../projections/match/decision.ts';
import type { DecidedItem } from '../../queries/reconciliation/decided-item.ts';
import { money } from '../amount.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import type { FilledTexts } from '../filled-parameters.ts';
import { html, type Html } from '../html.ts';
import { DECISION_WORDS, undoForm } from './decision-forms.ts';

type Decided = { readonly itemId: string; readonly as: DecisionKind | null; readonly about: DecidedItem | null };

const moreOf = (more: number, one: string, several: string): string =>
  more === 0 ? '' : ` and ${more} more ${more === 1 ? one : several}`;

/** What was decided on, so that a slip is seen before the next one. */
const aboutWords = ({ sum, orderId, line, more }: DecidedItem): Html => {
  const shown =
    sum === null || sum.currency === null
      ? null
      : html`<strong class="sum-of">${money(sum.amount, sum.currency)} ${sum.currency}</strong> of `;
  if (orderId !== null) return html`${shown}order <code>${orderId}</code>${moreOf(more, 'order', 'orders')}`;
  if (line === null) return html`a transfer without an order`;
  const day = line.bookedOn === null ? null : html` of ${line.bookedOn}`;
  const reference = line.reference === null ? null : html` <code>${line.reference}</code>`;
  return html`${shown}the bank line${reference}${day}${moreOf(more, 'line', 'lines')}`;
};

/** Says what was just decided, on what, and lets it be taken back. */
export const decidedNotice = ({ itemId, as, about }: Decided, back: FilledTexts, asked: ConsoleQuestion): Html => html`
  <div class="notice decided" role="status">
    <p>
      ${as === null ? 'The decision is kept' : DECISION_WORDS[as]}${about === null ? null : html`: ${aboutWords(about)}`}.
    </p>
    ${undoForm(itemId, asked, { query: new URLSearchParams([...back]).toString(), next: '' })}
  </div>
`;
