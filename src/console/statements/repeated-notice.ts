import {
  askedOtherwise,
  SAME_BYTES,
  type ImportedAs,
  type ImportedBefore,
} from '../../queries/statements/imported-as.ts';
import type { FilledTexts } from '../filled-parameters.ts';
import { html, type Html } from '../html.ts';
import { importedAsText } from './imported-as-text.ts';
import { saidIn } from './said-in.ts';

/** Says at the preview that a file was imported before, what as, and what to do where it is to be imported otherwise now. */
export const repeatedNotice = (before: ImportedBefore, readAs: ImportedAs, texts: FilledTexts): Html => {
  const otherwise = askedOtherwise(before, readAs, saidIn(texts));
  return html`
    <p class="notice">
      <strong>This file was imported before</strong>, for ${importedAsText(before)}: it adds
      nothing.${otherwise === null ? null : html` It is not imported for ${importedAsText(otherwise)}: ${SAME_BYTES}.`}
    </p>
  `;
};
