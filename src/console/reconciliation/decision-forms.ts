import type { DecisionKind } from '../../../projections/match/decision.ts';
import type { ItemId } from '../../../projections/match/item-id.ts';
import { OPEN_STATES } from '../../../projections/match/match-item.ts';
import type { MatchItemResource } from '../../queries/reconciliation/match-item-resource.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import { tokenField } from '../frame.ts';
import { html, type Html } from '../html.ts';

/** A decision that was not made, since nobody said why. */
export type Unsaid = { readonly itemId: ItemId; readonly as: DecisionKind | null };

/** What leads back to the list after a decision. */
export type Back = {
  /** The query of the list. */
  readonly query: string;
  /** The item that comes next; empty behind the last. */
  readonly next: string;
};

/** What was decided, as people say it. */
export const DECISION_WORDS: Readonly<Record<DecisionKind, string>> = {
  accept: 'They belong together',
  reject: 'They do not belong together',
  explain: 'Taken off the list',
};

/** Decisions that hide a difference, or undo what a rule found: they are made with a note that says why. */
export const NEEDING_NOTE: ReadonlySet<DecisionKind> = new Set<DecisionKind>(['explain', 'reject']);

/** What a note is asked for, by what is to be decided. */
const unsaidWords = (as: DecisionKind | null): string =>
  as === 'reject'
    ? 'Nothing was decided: say why they do not belong together.'
    : 'Nothing was decided: say why it needs nothing more.';

/** Where an item is decided on. */
const decisionPath = (itemId: string): string => `/console/reconciliation/${itemId}/decision`;

const hiddenFields = ({ session }: ConsoleQuestion, { query, next }: Back): Html => html`
  ${tokenField(session)}<input type="hidden" name="back" value="${query}" /><input
    type="hidden"
    name="next"
    value="${next}"
  />
`;

/** Takes a decision on an item back. */
export const undoForm = (itemId: string, asked: ConsoleQuestion, back: Back): Html =>
  asked.session.key.scopes.has('statements:write')
    ? html`<form class="decide" method="post" action="${decisionPath(itemId)}">
        ${hiddenFields(asked, back)}
        <button class="second" type="submit" name="decision" value="undo" data-key="u">Take it back</button>
      </form>`
    : html``;

/** Where the reason for a decision on an item is written, in its list. */
export const noteId = (itemId: string): string => `note-${itemId}`;

/** The field for the reason. The browser asks for it by itself, but where they belong together. */
const noteField = (itemId: string, unsaid: Unsaid | null): Html => {
  const isUnsaid = unsaid?.itemId === itemId;
  return html`<label
    ><span>Why${isUnsaid ? html` <strong class="unsaid">${unsaidWords(unsaid.as)}</strong>` : null}</span
    ><input
      id="${noteId(itemId)}"
      name="note"
      required
      pattern=".*\\S.*"
      title="Why: needed, but where they belong together"
      maxlength="2000"
      autocomplete="off"
      aria-invalid="${isUnsaid ? 'true' : 'false'}"
      placeholder="needed, but where they belong together"
      data-key="n"
  /></label>`;
};

const decisionForm = (itemId: string, asked: ConsoleQuestion, back: Back, unsaid: Unsaid | null): Html =>
  html`<form class="decide" method="post" action="${decisionPath(itemId)}">
    ${hiddenFields(asked, back)} ${noteField(itemId, unsaid)}
    <label
      >Together with<input
        name="with"
        maxlength="4000"
        autocomplete="off"
        spellcheck="false"
        placeholder="ids of orders or lines, where not all of it is meant"
    /></label>
    <div class="actions">
      <button class="second" type="submit" name="decision" value="explain" data-key="e" title="It needs nothing more">
        Off the list
      </button>
      <button
        class="second"
        type="submit"
        name="decision"
        value="accept"
        formnovalidate
        data-key="a"
        title="It belongs together, although it differs"
      >
        They belong together
      </button>
      <button class="second" type="submit" name="decision" value="reject" data-key="p" title="It was joined wrongly">
        They do not
      </button>
    </div>
  </form>`;

/** What was decided can be taken back; where the item is still open, as those are that were parted, it is decided on further. */
export const decisionForms = (
  { itemId, decision, state }: MatchItemResource,
  asked: ConsoleQuestion,
  back: Back,
  unsaid: Unsaid | null,
): Html => {
  if (!asked.session.key.scopes.has('statements:write')) return html``;
  const undo = decision === null ? null : undoForm(itemId, asked, back);
  return decision === null || OPEN_STATES.has(state)
    ? html`${decisionForm(itemId, asked, back, unsaid)} ${undo}`
    : html`${undo}`;
};
