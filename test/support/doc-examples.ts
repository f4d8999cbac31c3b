/** A block of a document that its readers type in. */
export type DocExample = {
  /** Where it begins in the document, from 1. */
  readonly line: number;
  readonly command: string;
  /** What the document shows as its output; empty where it shows none. */
  readonly shown: string;
  /** It goes on running, in a terminal of its own (`<!-- ci:background -->` before it, as in README.md). */
  readonly inBackground: boolean;
};

type Fence = { readonly line: number; readonly language: string; readonly text: string; readonly before: string };

const OPENS = /^```(\S*)$/;
const IN_BACKGROUND = '<!-- ci:background -->';

const fencesOf = (document: string): readonly Fence[] => {
  const fences: Fence[] = [];
  const lines = document.split('\n');
  let before = '';
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const language = OPENS.exec(line)?.[1];
    if (language === undefined) {
      if (line !== '') before = line;
      continue;
    }
    const end = lines.indexOf('```', at + 1);
    if (end === -1) throw new Error(`line ${at + 1}: a block that does not end`);
    fences.push({ line: at + 1, language, text: lines.slice(at + 1, end).join('\n'), before });
    before = '```';
    at = end;
  }
  return fences;
};

/**
 * The examples of a document in their order: each `sh` block, with the `text` block that follows it and shows what it prints.
 * Pictures are left out. A block of any other kind would be an example that nobody runs, so it is refused.
 */
export const docExamples = (document: string): readonly DocExample[] => {
  const examples: DocExample[] = [];
  const fences = fencesOf(document).filter(({ language }) => language !== 'mermaid');
  for (const [i, { line, language, text, before }] of fences.entries()) {
    const isOutput = language === 'text' && fences[i - 1]?.language === 'sh';
    if (language !== 'sh' && !isOutput) throw new Error(`line ${line}: a block of ${language} that nothing runs`);
    if (isOutput) continue;
    const next = fences[i + 1];
    const inBackground = before === IN_BACKGROUND;
    const shown = next?.language === 'text' ? next.text : '';
    if (inBackground && shown !== '') throw new Error(`line ${line}: output of what goes on running is not compared`);
    examples.push({ line, command: text, shown, inBackground });
  }
  return examples;
};
