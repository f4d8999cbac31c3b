import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { repositoryFile, repositoryPath } from '../support/repository-file.ts';

/** An anchor as it is made of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const anchorsIn = (path: string): readonly string[] =>
  [...repositoryFile(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

describe('links between documents', () => {
  const documents = [
    'README.md',
    'SECURITY.md',
    ...readdirSync(repositoryPath('docs'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md'))
      .map((path) => `docs/${path}`),
  ];

  it('lead to files and headings that are there', () => {
    const links = documents.flatMap((document) =>
      [...repositoryFile(document).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
        ([, path = '', anchor]) => ({ document, path: path === '' ? document : join(dirname(document), path), anchor }),
      ),
    );
    expect(links.length).to.be.greaterThan(20);
    const broken = links.filter(
      ({ path, anchor }) =>
        !existsSync(repositoryPath(path)) || (anchor !== undefined && !anchorsIn(path).includes(anchor)),
    );
    expect(broken).to.deep.equal([]);
  });

  it('lead from the README to every document', () => {
    const readme = repositoryFile('README.md');
    const unnamed = documents.filter((path) => /^docs\/[^/]+$/.test(path) && !readme.includes(`](${path})`));
    expect(unnamed).to.deep.equal([]);
  });
});
