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
  /** Whether it is not over yet: more may come. */
  readonly unfinished: boolean;
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

/** What a bar that may still grow is veiled with. */
const hatching = (id: string): Html => html`
  <defs>
    <pattern id="${id}" width="12" height="4" patternUnits="userSpaceOnUse">
      <rect class="veil" width="12" height="2"></rect>
    </pattern>
  </defs>
`;

type Place = { readonly x: number; readonly step: number; readonly greatest: number; readonly veil: string };

const bar = (
  { label, asked, parts, href, unfinished }: Period,
  unit: string,
  { x, step, greatest, veil }: Place,
): Html => {
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
  const veiled =
    unfinished && rects.length > 0
      ? html`<rect x="${x}" y="${top}" width="${step}" height="${HEIGHT - top}" fill="url(#${veil})"></rect>`
      : null;
  const title = html`<title>
    ${label}${unfinished ? ', not over yet' : ''}: ${asked} ${unit}${said.length === 0 ? '' : ` (${said.join(', ')})`}
  </title>`;
  return href === null || rects.length === 0
    ? html`<g>${title}${rects}${veiled}</g>`
    : html`<a href="${href}" tabindex="-1">${title}${rects}${veiled}</a>`;
};

/** What the colours of charts mean, and how a day or month is drawn that is not over yet, where one is. */
export const phaseKey = (phases: readonly Phase[], unfinished: string | null): Html => html`
  <ul class="key" aria-label="Colours">
    ${phases.map(
      (phase) =>
        html`<li>
          <svg class="swatch" viewBox="0 0 1 1" aria-hidden="true">
            <rect class="part ${phase}" width="1" height="1"></rect></svg
          >${PHASE_WORDS[phase]}
        </li>`,
    )}
    ${
      unfinished === null
        ? null
        : html`<li>
            <svg class="swatch" viewBox="0 0 12 12" aria-hidden="true">
              ${hatching('veil-key')}
              <rect class="part open" width="12" height="12"></rect>
              <rect width="12" height="12" fill="url(#veil-key)"></rect></svg
            >${unfinished}, not over yet
          </li>`
    }
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
  const veil = `veil-${table}-${key}`;
  if (first === undefined || last === undefined || greatest === null) return html``;
  return html`
    <figure
      class="chart"
      data-table="${table}"
      data-key="${key}"
      data-unit="${unit}"
      data-periods="${periods.map(({ label }) => label).join(' ')}"
      data-unfinished="${periods.find(({ unfinished }) => unfinished)?.label ?? ''}"
    >
      <figcaption>
        <span>${title}</span>
        <span class="most">highest ${money(greatest.asked, unit)} ${unit}, ${greatest.label}</span>
      </figcaption>
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
        ${hatching(veil)}
        ${periods.map((period, i) => bar(period, unit, { x: i * step, step, veil, greatest: Math.max(Number(greatest.asked) * ROOM, Number.MIN_VALUE) }))}
      </svg>
      <p class="ends fine"><span>${first.label}</span><span>${last.label}</span></p>
    </figure>
  `;
};
