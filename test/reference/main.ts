/** Writes docs/reference, and the drawing of the folders in docs/architecture.md, from the code. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFile, repositoryPath } from '../support/repository-file.ts';
import { architecturePage } from './architecture-page.ts';
import { REFERENCE_FOLDER, referencePages } from './reference-pages.ts';

const ARCHITECTURE = 'docs/architecture.md';

mkdirSync(REFERENCE_FOLDER, { recursive: true });
for (const [name, text] of await referencePages()) writeFileSync(join(REFERENCE_FOLDER, name), text);
writeFileSync(repositoryPath(ARCHITECTURE), architecturePage(repositoryFile(ARCHITECTURE)));
