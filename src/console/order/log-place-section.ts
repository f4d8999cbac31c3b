import type { Instant } from '../../domain/instant.ts';
import type { LogPlace, PathStep } from '../../queries/proofs/log-place.ts';
import { amount } from '../amount.ts';
import { html, type Html } from '../html.ts';
import type { Times } from '../local-time.ts';

/** The picture: levels of the tree from the root down, as far apart as this. */
const STEP = 36;
const [MIDDLE, ASIDE, RADIUS] = [150, 90, 9];

const levelOf = ({ side, hash }: PathStep, i: number, levels: number): Html => {
  // The leaf is at the bottom; the node of this level stands above what came before, its sibling beside that.
  const [below, above] = [(levels - i) * STEP + 20, (levels - i - 1) * STEP + 20];
  const x = side === 'left' ? MIDDLE - ASIDE : MIDDLE + ASIDE;
  return html`
    <line x1="${MIDDLE}" y1="${below}" x2="${MIDDLE}" y2="${above}" />
    <line x1="${x}" y1="${below}" x2="${MIDDLE}" y2="${above}" />
    <circle class="sibling" cx="${x}" cy="${below}" r="${RADIUS}"><title>${hash}</title></circle>
  `;
};

const picture = (path: readonly PathStep[], leafIndex: number, rootHash: string): Html => {
  const levels = path.length;
  const height = levels * STEP + 40;
  const nodes = Array.from({ length: levels + 1 }, (_, i) => i * STEP + 20);
  return html`
    <svg
      class="log-path"
      viewBox="0 0 300 ${height}"
      width="300"
      height="${height}"
      role="img"
      aria-label="The way from leaf ${leafIndex} to the root: ${levels} hashes, ${path.map(({ side }) => side).join(', ')}"
    >
      ${path.map((step, i) => levelOf(step, i, levels))}
      ${nodes.map(
        (y, i) =>
          html`<circle
            class="${i === 0 ? 'root' : i === levels ? 'leaf' : 'node'}"
            cx="${MIDDLE}"
            cy="${y}"
            r="${RADIUS}"
          >
            <title>${i === 0 ? `root ${rootHash}` : i === levels ? 'this event' : 'computed'}</title>
          </circle>`,
      )}
    </svg>
  `;
};

const proofOf = ({ path, leafIndex, rootHash }: Extract<LogPlace, { readonly _tag: 'Signed' }>): Html => html`
  <details>
    <summary>The way to the signed root: ${path.length} ${path.length === 1 ? 'hash' : 'hashes'}</summary>
    ${picture(path, leafIndex, rootHash)}
    <p class="muted">
      The event is at the bottom, the root of the checkpoint on top. Each node is the SHA-256 of the two below it; those
      beside the way are the proof:
    </p>
    <ol class="hashes">
      ${path.map(({ side, hash }) => html`<li>${side} <code>${hash}</code></li>`)}
    </ol>
    <p>Root <code>${rootHash}</code></p>
  </details>
`;

/** Where an event stands in the log, and the way from there to what is signed. */
export const logPlaceSection = (place: LogPlace, recordedAt: Instant, times: Times): Html => {
  const says =
    place._tag === 'Signed'
      ? html`<p>
            In the log since ${times.time(recordedAt)}: leaf ${amount(String(place.leafIndex))} of checkpoint
            ${amount(String(place.size))}, signed ${times.time(place.signedAt)}.
          </p>
          ${proofOf(place)}`
      : place._tag === 'NotYet'
        ? html`<p class="muted">In the log since ${times.time(recordedAt)}; no checkpoint includes it yet.</p>`
        : html`<p class="concern">The log lacks events that were signed: nothing is proven. See the health page.</p>`;
  return html`
    <section>
      <h2>In the log</h2>
      ${says}
    </section>
  `;
};
