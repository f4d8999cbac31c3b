import { readdirSync } from 'node:fs';
import { parseSync, type RegExpLiteral } from '@swc/core';
import { expect } from 'chai';
import { checkSync } from 'recheck';
import { foundLinear, keepLinear } from '../support/linear-patterns.ts';
import { repositoryFile, repositoryPath } from '../support/repository-file.ts';

const isLiteral = (node: object): node is RegExpLiteral => 'type' in node && node.type === 'RegExpLiteral';

/** Every regular expression that stands somewhere below a node of a syntax tree. */
const patternsBelow = (node: unknown): readonly RegExpLiteral[] => {
  if (typeof node !== 'object' || node === null) return [];
  return isLiteral(node) ? [node] : Object.values(node).flatMap(patternsBelow);
};

const sources = ['src', 'projections'].flatMap((folder) =>
  readdirSync(repositoryPath(folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:ts|mjs|js)$/.test(path))
    .map((path) => `${folder}/${path}`),
);

const patternsOf = (path: string): readonly RegExpLiteral[] =>
  patternsBelow(parseSync(repositoryFile(path), { syntax: path.endsWith('.ts') ? 'typescript' : 'ecmascript' }));

/**
 * Null: it takes time in proportion to the text, whatever the text is. What a match reads is counted and not timed: on a busy
 * machine one that takes linear time is late too.
 */
const fault = (pattern: string, flags: string): string | null => {
  const checked = checkSync(pattern, flags, { timeout: 20_000, incubationTimeout: null, attackTimeout: null });
  if (checked.status === 'safe') return null;
  return checked.status === 'vulnerable' ? `vulnerable, ${checked.complexity.summary}` : checked.status;
};

describe('regular expressions', () => {
  it('take linear time on any text: one that is quadratic lets a single request hold a thread', function () {
    this.timeout(120_000);
    const judged = new Map<string, string | null>(foundLinear().map((text) => [text, null]));
    const met = new Set<string>();
    const faults: string[] = [];
    for (const path of sources) {
      for (const { pattern, flags } of patternsOf(path)) {
        const text = `/${pattern}/${flags}`;
        const known = judged.get(text);
        const found = known === undefined ? fault(pattern, flags) : known;
        judged.set(text, found);
        met.add(text);
        if (found !== null) faults.push(`${path} ${text}: ${found}`);
      }
    }
    keepLinear([...met].filter((text) => judged.get(text) === null));
    expect(faults).to.deep.equal([]);
    expect(met.size).to.be.greaterThan(50);
  });

  it('are judged by a check that finds one that is not', () => {
    expect(fault(String.raw`^Bearer +(.*\S) *$`, 'i')).to.match(/^vulnerable, 2nd degree polynomial/);
  });

  it('are written out, so that they can be judged; those that are made of text are known', () => {
    const made = sources.filter((path) => /\bRegExp\(/.test(repositoryFile(path))).toSorted();
    expect(made).to.deep.equal(['src/config/generated-file.ts', 'src/console/bytes-text.ts']);
  });
});
