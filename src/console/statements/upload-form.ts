import { html, type Html } from '../html.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import { tokenField } from '../frame.ts';

/** Where bank files are handed in. */
export const IMPORT_PATH = '/console/reconciliation/import';

/** Where one that was handed in is looked at, and imported. */
export const importPath = (statementId: string): string => `${IMPORT_PATH}/${statementId}`;

/** Where how it is read is posted. */
export const readingPath = (statementId: string): string => `${importPath(statementId)}/reading`;

/**
 * Takes a bank file, chosen or dropped; nothing where its reader may not. A browser without scripts has the field and the
 * button alone.
 */
export const uploadForm = ({ session }: Pick<ConsoleQuestion, 'session'>): Html =>
  session.key.scopes.has('statements:write')
    ? html`<form class="upload" method="post" action="${IMPORT_PATH}" enctype="multipart/form-data">
        ${tokenField(session)}
        <label
          >Bank file<input
            type="file"
            name="file"
            required
            accept=".xml,.camt,.sta,.mt940,.940,.txt,.ofx,.qfx,.csv,.xlsx,.zip"
        /></label>
        <button type="submit">Preview</button>
        <p class="fine">
          camt.053, MT940, OFX, CSV or XLSX, up to 16 MiB. <span class="drops" hidden>Or drop it here.</span> Nothing is
          imported before you have seen what it says.
        </p>
      </form>`
    : html``;
