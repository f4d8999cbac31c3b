import { existsSync, readdirSync } from 'node:fs';
import { expect } from 'chai';
import { repositoryFile, repositoryPath } from '../support/repository-file.ts';

const CODE = /\.(?:ts|mjs|js|sh|css)$/;

/** Documents and code, but for this file, which must say what it looks for. */
const files: readonly string[] = [
  '.dependency-cruiser.mjs',
  '.ci/run',
  'README.md',
  'SECURITY.md',
  ...['src', 'projections', 'test', 'bench', 'deploy', 'docs'].flatMap((folder) =>
    readdirSync(repositoryPath(folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path}`)
      .filter((path) => CODE.test(path) || path.endsWith('.md')),
  ),
].filter((path) => path !== 'test/docs/citations.test.ts');

/** A text whose comments stand on one line each, however they are wrapped. */
const unwrapped = (text: string): string => text.replaceAll(/\n\s*(?:\*|\/\/|#)?[ \t]+/g, ' ');

const headingsIn = (document: string): readonly string[] =>
  [...repositoryFile(document).matchAll(/^#{2,} (.+)$/gm)].map(([, heading = '']) => heading);

type Citation = { readonly document: string; readonly rest: string };

/** Every document of the reference that a text names, with what stands behind it. */
const citationsIn = (text: string): readonly Citation[] =>
  [...unwrapped(text).matchAll(/(docs\/(?:spec\/[\w-]+|event-store-facts)\.md)([^\n]{0,80})/g)].map(
    ([, document = '', rest = '']) => ({ document, rest }),
  );

/** Whether it leads somewhere: behind a comma a heading of that document, as it is spelled there. */
const leadsSomewhere = ({ document, rest }: Citation): boolean => {
  if (!existsSync(repositoryPath(document))) return false;
  if (!rest.startsWith(', ')) return true;
  return headingsIn(document).some((heading) => new RegExp(`^, ${RegExp.escape(heading)}(?![\\w-])`).test(rest));
};

describe('citations of the reference', () => {
  const citations = files
    .filter((path) => CODE.test(path))
    .flatMap((path) => citationsIn(repositoryFile(path)).map((citation) => ({ path, ...citation })));

  it('lead to files and headings that are there', () => {
    expect(citations.length).to.be.greaterThan(200);
    expect(citations.filter((citation) => !leadsSomewhere(citation))).to.deep.equal([]);
  });

  it('are read across the lines of a comment, and lead nowhere by another spelling', () => {
    const [wrapped, ...others] = citationsIn('/**\n * a rule (docs/spec/domain.md, Order\n * state), and\n */');
    expect(others).to.deep.equal([]);
    expect(wrapped?.rest).to.match(/^, Order state\), and/);
    const cases: readonly (readonly [string, boolean])[] = [
      ['docs/spec/domain.md, Order state)', true],
      ['docs/spec/domain.md)', true],
      ['docs/spec/domain.md, Order states)', false],
      ['docs/spec/domain.md, The order)', false],
      ['docs/spec/nowhere.md)', false],
    ];
    for (const [text, leads] of cases) {
      const found = citationsIn(text).map(leadsSomewhere);
      expect(found, text).to.deep.equal([leads]);
    }
  });

  it('are of nothing that a reader of this repository does not have', () => {
    const outside =
      /(?<![\w/-])(?:contract|design|interface|style)\.md|\bfacts\/[\w-]+\.(?:md|json)|\b(?:the|this) brief\b/g;
    const left = files.flatMap((path) =>
      [...repositoryFile(path).matchAll(outside)].map(([citation]) => `${path}: ${citation}`),
    );
    expect(left).to.deep.equal([]);
  });
});
