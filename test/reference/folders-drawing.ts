import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { repositoryPath } from '../support/repository-file.ts';

const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

/** Ports and what stands behind them are two things in the drawing, though they lie in one folder. */
const WITH_ADAPTERS: ReadonlySet<string> = new Set(['event-store', 'read-models']);

/** The box that a file is in; null for one outside of the product's code. */
const boxOf = (path: string): string | null => {
  const [top, folder = '', ...rest] = path.split('/');
  if (top === 'projections') return 'projections';
  if (top !== 'src') return null;
  if (rest.length === 0) return 'main';
  return rest.length > 1 && WITH_ADAPTERS.has(folder) ? `${folder}-adapters` : folder;
};

const filesIn = (folder: string): readonly string[] =>
  readdirSync(repositoryPath(folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `${folder}/${path}`);

/** For each box those that it imports from, types included. */
const importsOf = (): ReadonlyMap<string, ReadonlySet<string>> => {
  const root = repositoryPath('');
  const imports = new Map<string, Set<string>>();
  for (const file of ['src', 'projections'].flatMap(filesIn)) {
    const from = boxOf(file);
    if (from === null) continue;
    const known = imports.get(from) ?? new Set<string>();
    imports.set(from, known);
    for (const [, path = ''] of readFileSync(join(root, file), 'utf8').matchAll(IMPORT)) {
      const to = boxOf(relative(root, join(root, dirname(file), path)));
      if (to !== null && to !== from) known.add(to);
    }
  }
  return imports;
};

/** All that a box reaches, over other boxes too. */
const reached = (imports: ReadonlyMap<string, ReadonlySet<string>>, from: Iterable<string>): ReadonlySet<string> => {
  const found = new Set<string>();
  const left = [...from];
  for (let box = left.pop(); box !== undefined; box = left.pop()) {
    if (found.has(box)) continue;
    found.add(box);
    left.push(...(imports.get(box) ?? []));
  }
  return found;
};

/** Every box of the drawing. */
export const folderBoxes = (): readonly string[] => [...importsOf().keys()].toSorted();

const label = (box: string): string => {
  if (box === 'main') return 'main.ts';
  return box.endsWith('-adapters') ? `${box.replace('-adapters', '')}<br>adapters` : box;
};

/**
 * A drawing of the folders: an arrow leads from each to those that it imports from, but for arrows that follow from others.
 *
 * @throws Error where folders import each other in a circle
 */
export const foldersDrawing = (): string => {
  const imports = importsOf();
  const arrows = folderBoxes().flatMap((from) => {
    const to = imports.get(from) ?? new Set<string>();
    if (reached(imports, to).has(from)) throw new Error(`${from} imports itself in a circle of folders`);
    return [...to]
      .toSorted()
      .filter((box) => ![...to].some((other) => other !== box && reached(imports, [other]).has(box)))
      .map((box) => `  ${from} --> ${box}`);
  });
  const boxes = folderBoxes().map((box) => `  ${box}["${label(box)}"]`);
  return ['```mermaid', 'flowchart TB', ...boxes, ...arrows, '```'].join('\n');
};
