import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { architecturePage } from '../reference/architecture-page.ts';
import { folderBoxes } from '../reference/folders-drawing.ts';
import { repositoryFile, repositoryPath } from '../support/repository-file.ts';

const page = repositoryFile('docs/architecture.md');

const sectionOf = (heading: string): string =>
  page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? expect.fail(`there is no ${heading}`);

const stationsIn = (heading: string): readonly string[] => sectionOf(heading).match(/^\d+\. .*$/gm) ?? [];

const filesIn = (text: string): readonly string[] =>
  [...text.matchAll(/`((?:src|projections|docs|test)\/[\w./-]+\.\w+)`/g)].map(([, path = '']) => path);

describe('docs/architecture.md', () => {
  it('draws the folders as they import each other; `npm run docs:reference` writes it', () => {
    expect(page).to.equal(architecturePage(page));
    expect(page).to.include('  main --> composition\n');
  });

  it('says of each folder what it holds', () => {
    const named = [...sectionOf('Folders and imports').matchAll(/^\| `([\w-]+)`/gm)].map(([, name = '']) => name);
    expect(named).to.have.members([...folderBoxes()]);
  });

  it('follows a delivery and a question, each over fifteen stations at the most', () => {
    for (const heading of ['The way of a delivery', 'The way of a question']) {
      const stations = stationsIn(heading);
      expect(stations.length, heading).to.be.within(8, 15);
      for (const station of stations) expect(filesIn(station), station).to.not.deep.equal([]);
    }
  });

  it('lists ten files for a newcomer', () => {
    const files = stationsIn('Ten files to read first').flatMap(filesIn);
    expect(new Set(files).size).to.equal(10);
  });

  it('names files that are there', () => {
    expect(filesIn(page).filter((path) => !existsSync(repositoryPath(path)))).to.deep.equal([]);
  });
});
