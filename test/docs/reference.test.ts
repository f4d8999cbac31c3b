import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { COMMANDS } from '../../src/cli/commands.ts';
import { REFERENCE_FOLDER, referencePages } from '../reference/reference-pages.ts';
import { helpOf } from '../support/command-help.ts';

/** What a help lists below `Commands:`, as a person reads it: names begin behind two blanks, what is said of them further in. */
const listedIn = (help: string): readonly string[] => {
  const lines = help.split('\n');
  const begins = lines.indexOf('Commands:') + 1;
  if (begins === 0) return [];
  const listed = lines.slice(begins, lines.indexOf('', begins));
  const named = listed.filter((line) => !line.startsWith('   ')).map((line) => line.trim().split(' ')[0] ?? '');
  return named.filter((name) => name !== 'help');
};

const listedBelow = async (path: readonly string[]): Promise<readonly string[]> => {
  const paths = listedIn(await helpOf(path)).map((name) => [...path, name]);
  const below = await Promise.all(paths.map(listedBelow));
  return paths.flatMap((one, i) => [one.join(' '), ...(below[i] ?? [])]);
};

describe('docs/reference', () => {
  it('is what the code says; `npm run docs:reference` writes it', async () => {
    const pages = await referencePages();
    const there = readdirSync(REFERENCE_FOLDER).map(
      (name) => [name, readFileSync(join(REFERENCE_FOLDER, name), 'utf8')] as const,
    );
    expect(there.map(([name]) => name)).to.have.members([...pages.keys()]);
    for (const [name, text] of there) expect(text, `${name} is stale`).to.equal(pages.get(name));
  });

  it('has the help of every command and subcommand that is listed by the program', async () => {
    const page = readFileSync(join(REFERENCE_FOLDER, 'commands.md'), 'utf8');
    const sections = page.split('\n## ').slice(1);
    const listed = await listedBelow([]);
    expect(listed).to.include.members([...Object.keys(COMMANDS), 'period workbook', 'statement import']);
    expect(sections.map((section) => section.split('\n')[0])).to.deep.equal(listed);
    for (const [i, section] of sections.entries()) {
      expect(section).to.match(new RegExp(`\nUsage: ramp-ledger ${listed[i] ?? ''}[ \n]`));
    }
  });
});
