import type { Evidence } from './evidence.ts';
import { evidenceFiles, evidenceIn, type Files } from './evidence-files.ts';
import { unzipped, zipped } from './evidence-zip.ts';
import { LIST, LIST_SIGNATURE, listIsSigned, listText } from './signed-list.ts';
import { parseVerifierLine } from '../signed-note.ts';

/** What is wrong with evidence, for programs, and a sentence for people. */
export type EvidenceProblem = {
  readonly code:
    | 'zip-unreadable'
    | 'zip-altered'
    | 'file-missing'
    | 'file-added'
    | 'file-changed'
    | 'list-changed'
    | 'list-signature'
    | 'evidence-unreadable'
    | 'file-derived-wrongly'
    | 'another-key'
    | 'checkpoint-signature'
    | 'cosignature'
    | 'witness-missing'
    | 'not-in-log'
    | 'not-complete'
    | 'event-wrong'
    | 'order-wrong';
  readonly detail: string;
};

export const evidenceProblem = (code: EvidenceProblem['code'], detail: string): EvidenceProblem => ({ code, detail });

/** Evidence as far as it can be read, and what is wrong with its form. */
export type OpenedEvidence = { readonly evidence: Evidence | null; readonly problems: readonly EvidenceProblem[] };

const listed = (list: string): ReadonlyMap<string, string> =>
  new Map(
    list
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  );

/** Which files are not those of the list. */
const unlisted = (files: Files): readonly EvidenceProblem[] => {
  const written = files.get(LIST);
  if (written === undefined) return [evidenceProblem('file-missing', LIST)];
  const [said, found] = [listed(written.toString()), listed(listText(files))];
  const problems = [
    ...[...said.keys()].filter((name) => !found.has(name)).map((name) => evidenceProblem('file-missing', name)),
    ...[...found.keys()].filter((name) => !said.has(name)).map((name) => evidenceProblem('file-added', name)),
    ...[...found]
      .filter(([name, digest]) => (said.get(name) ?? digest) !== digest)
      .map(([name]) => evidenceProblem('file-changed', name)),
  ];
  return problems.length > 0 || written.toString() === listText(files)
    ? problems
    : [evidenceProblem('list-changed', `${LIST} is not the list of the files in their order`)];
};

const listProblems = (files: Files, { key }: Evidence): readonly EvidenceProblem[] => {
  const [list, signature, verifier] = [files.get(LIST), files.get(LIST_SIGNATURE), parseVerifierLine(key)];
  const isSigned =
    list !== undefined && signature !== undefined && verifier !== null && listIsSigned(list, signature, verifier);
  return isSigned ? [] : [evidenceProblem('list-signature', `the ledger's key has not signed ${LIST}`)];
};

/** Files that are not what evidence.json and the bodies give. */
const wronglyDerived = (files: Files, evidence: Evidence): readonly EvidenceProblem[] => {
  const derived = evidenceFiles(evidence);
  const known = new Set([...derived.keys(), 'README.txt', 'verify.html', LIST, LIST_SIGNATURE]);
  return [
    ...[...derived]
      .filter(([name, content]) => files.get(name)?.equals(content) !== true)
      .map(([name]) => evidenceProblem('file-derived-wrongly', name)),
    ...[...known].filter((name) => !files.has(name)).map((name) => evidenceProblem('file-missing', name)),
    ...[...files.keys()].filter((name) => !known.has(name)).map((name) => evidenceProblem('file-added', name)),
  ];
};

/** The files in the order in which the ledger writes them. */
const inOrder = (files: Files, evidence: Evidence): Files =>
  new Map(
    ['README.txt', 'verify.html', ...evidenceFiles(evidence).keys(), LIST, LIST_SIGNATURE].flatMap((name) => {
      const content = files.get(name);
      return content === undefined ? [] : [[name, content] as const];
    }),
  );

/** Opens evidence, and holds every byte of it to what the ledger writes and has signed. */
export const openEvidence = (bytes: Buffer): OpenedEvidence => {
  const files = unzipped(bytes);
  if (files === null) {
    return { evidence: null, problems: [evidenceProblem('zip-unreadable', 'it is no ZIP as the ledger writes it')] };
  }
  const evidence = evidenceIn(files);
  if (evidence === null) {
    const detail = 'evidence.json, or a file that it is made of, is missing or of another form';
    return { evidence, problems: [...unlisted(files), evidenceProblem('evidence-unreadable', detail)] };
  }
  const problems = [...unlisted(files), ...listProblems(files, evidence), ...wronglyDerived(files, evidence)];
  // Of the same files the ledger makes the same bytes: whatever else was done to the ZIP shows here.
  const isAltered = !zipped(inOrder(files, evidence)).equals(bytes);
  return {
    evidence,
    problems: isAltered
      ? [
          ...problems,
          evidenceProblem(
            'zip-altered',
            'the ZIP is not byte for byte as the ledger writes it: it was altered, cut off, or packed again',
          ),
        ]
      : problems,
  };
};
