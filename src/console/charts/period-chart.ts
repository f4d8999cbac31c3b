import type { Phase } from '../../domain/status.ts';
import { money } from '../amount.ts';
import { html, type Html } from '../html.ts';
import { PHASE_WORDS } from '../../queries/words/status-words.ts';

/** A day or a month, and what was asked for in it by what became of it. Amounts are exact. */
export type Period = {
  readonly label: string;
  readonly asked: string;
  readonly parts: readonly { readonly phase: Phase; readonly amount: string }[];
  /** The orders behind it; null for somebody who may not see them. */
  readonly href: string | null;
};

export type PeriodChart = {
  readonly title: string;
  /** The currency of all amounts. */
  readonly unit: string;
  readonly periods: readonly Period[];
  /** The id of the table with the same figures, and what its rows of this chart are marked with: scripts draw from them. */
  readonly table: string;
  readonly key: string;
};

const [WIDTH, HEIGHT] = [1000, 160];
const GAP = 0.25;
/** Above the highest bar there is room for it to be seen whole. */
const ROOM = 1.06;

/** Amounts are drawn as doubles: a bar is for the eye only. */
const tallest = (periods: readonly Period[]): Period | null => {
  let found: Period | null = null;
  for (const period of periods) if (found === null || Number(period.asked) > Number(found.asked)) found = period;
  return found;
};

const bar = ({ label, asked, parts, href }: Period, unit: string, x: number, step: number, greatest: number): Html => {
  let top = HEIGHT;
  const rects = parts.flatMap(({ phase, amount }) => {
    // A bar is at least so high that it can be seen.
    const height = Number(amount) === 0 ? 0 : Math.max(1, (Number(amount) / greatest) * HEIGHT);
    top -= height;
    return height === 0
      ? []
      : [
          html`<rect
            class="part ${phase}"
            x="${x + (step * GAP) / 2}"
            y="${top}"
            width="${step * (1 - GAP)}"
            height="${height}"
          ></rect>`,
        ];
  });
  const said = parts
    .filter(({ amount }) => amount !== '0')
    .map(({ phase, amount }) => `${PHASE_WORDS[phase]} ${amount}`);
  const title = html`<title>${label}: ${asked} ${unit}${said.length === 0 ? '' : ` (${said.join(', ')})`}</title>`;
  return href === null || rects.length === 0
    ? html`<g>${title}${rects}</g>`
    : html`<a href="${href}" tabindex="-1">${title}${rects}</a>`;
};

/** What the colours of charts mean. */
export const phaseKey = (phases: readonly Phase[]): Html => html`
  <ul class="key" aria-label="Colours">
    ${phases.map(
      (phase) =>
        html`<li>
          <svg class="swatch" viewBox="0 0 1 1" aria-hidden="true">
            <rect class="part ${phase}" width="1" height="1"></rect></svg
          >${PHASE_WORDS[phase]}
        </li>`,
    )}
  </ul>
`;

/**
 * Amounts of one currency over time, stacked by phase, drawn without scripts; with them, the figures of the table beside
 * it are drawn anew, to be read off at a point. To those who don't see it, the table says the same.
 */
export const periodChart = ({ title, unit, periods, table, key }: PeriodChart): Html => {
  const greatest = tallest(periods);
  const step = WIDTH / Math.max(1, periods.length);
  const [first, last] = [periods[0], periods.at(-1)];
  if (first === undefined || last === undefined || greatest === null) return html``;
  return html`
    <figure
      class="chart"
      data-table="${table}"
      data-key="${key}"
      data-unit="${unit}"
      data-periods="${periods.map(({ label }) => label).join(' ')}"
    >
      <figcaption>
        <span>${title}</span>
        <span class="most">highest ${money(greatest.asked, unit)} ${unit}, ${greatest.label}</span>
      </figcaption>
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
        ${periods.map((period, i) => bar(period, unit, i * step, step, Math.max(Number(greatest.asked) * ROOM, Number.MIN_VALUE)))}
      </svg>
      <p class="ends fine"><span>${first.label}</span><span>${last.label}</span></p>
    </figure>
  `;
};
