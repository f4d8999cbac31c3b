/** Writes docs/reference from the code. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REFERENCE_FOLDER, referencePages } from './reference-pages.ts';

mkdirSync(REFERENCE_FOLDER, { recursive: true });
for (const [name, text] of await referencePages()) writeFileSync(join(REFERENCE_FOLDER, name), text);
