import type { AsOf } from '../read-models/read-models.ts';
import { textField } from './fields.ts';
import type { FilledTexts } from './filled-parameters.ts';
import { html, type Html } from './html.ts';
import { withParameters } from './links.ts';
import type { Times } from './local-time.ts';

/** A field for the moment that a list or a report is of: a position, or an instant. */
export const asOfField = (texts: FilledTexts): Html =>
  textField('As of', 'asOf', texts.get('asOf') ?? '', 'now, or 2026-04-01T00:00:00Z', 'wide');

/** Says of what was known at a moment that it is not what is known now, with the way there. */
export const asOfMark = ({ checkpoint }: AsOf, path: string, texts: FilledTexts, times: Times): Html => {
  const rest = [...texts].filter(([name]) => name !== 'asOf' && name !== 'cursor');
  return html`
    <p class="notice">
      <strong>As it was known then</strong>:
      ${checkpoint === null ? 'before the first event.' : html`up to position <code>${checkpoint.position}</code>, recorded ${times.time(checkpoint.at)}.`}
      <a href="${withParameters(path, Object.fromEntries(rest))}">See it as it is now</a>.
    </p>
  `;
};
