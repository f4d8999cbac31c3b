import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { repositoryFile, repositoryPath } from '../support/repository-file.ts';

/** What reads URL-encoded text by itself, whatever stands in it. */
const READS =
  /\bnew URLSearchParams\((?!\)|\{|\[\.\.\.)|\.searchParams\b|\b(?:ctx|request)\.query\b|from '(?:node:)?querystring'/;

describe('URL-encoded text of somebody else', () => {
  it('is read in one place, whose cost does not depend on what is in it', () => {
    const found = readdirSync(repositoryPath('src'), { recursive: true, encoding: 'utf8' })
      .map((path) => `src/${path}`)
      .filter((path) => /\.(?:ts|mjs)$/.test(path) && READS.test(repositoryFile(path)));
    expect(found).to.deep.equal(['src/http/url-encoded.ts']);
  });

  it('is looked for by what finds it', () => {
    for (const text of [
      'new URLSearchParams(query)',
      'url.searchParams.get("a")',
      'ctx.query',
      "from 'node:querystring'",
    ])
      expect(READS.test(text), text).to.equal(true);
  });
});
