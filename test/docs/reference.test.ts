import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { REFERENCE_FOLDER, referencePages } from '../reference/reference-pages.ts';

describe('docs/reference', () => {
  it('is what the code says; `npm run docs:reference` writes it', async () => {
    const pages = await referencePages();
    const there = readdirSync(REFERENCE_FOLDER).map(
      (name) => [name, readFileSync(join(REFERENCE_FOLDER, name), 'utf8')] as const,
    );
    expect(there.map(([name]) => name)).to.have.members([...pages.keys()]);
    for (const [name, text] of there) expect(text, `${name} is stale`).to.equal(pages.get(name));
  });
});
