import type { Evidence } from './evidence.ts';
import { evidenceFiles, type Files } from './evidence-files.ts';
import { zipped } from './evidence-zip.ts';
import { readmeText } from './readme.ts';
import { LIST, LIST_SIGNATURE, listText } from './signed-list.ts';
import { verifyPage } from './verify-page.ts';

/** The files of evidence, and the list of them that is still to be signed. */
export type UnsignedEvidence = { readonly files: Files; readonly list: string };

/** Writes evidence down. */
export const writtenEvidence = (evidence: Evidence): UnsignedEvidence => {
  const files = new Map([
    ['README.txt', Buffer.from(readmeText(evidence))],
    ['verify.html', verifyPage()],
    ...evidenceFiles(evidence),
  ]);
  return { files, list: listText(files) };
};

/** Evidence as one ZIP; the same evidence gives the same bytes. `signature`: of the list, with the key that has signed the checkpoint. */
export const evidenceZip = ({ files, list }: UnsignedEvidence, signature: Buffer): Buffer =>
  zipped(new Map([...files, [LIST, Buffer.from(list)], [LIST_SIGNATURE, signature]]));
