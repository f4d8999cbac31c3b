import { turnsBetween } from '../../concurrency/turns-between.ts';
import type { Evidence } from './evidence.ts';
import { evidenceParts, type Files } from './evidence-files.ts';
import { readmeText } from './readme.ts';
import { LIST, LIST_SIGNATURE, listLine } from './signed-list.ts';
import { verifyPage } from './verify-page.ts';
import { zippedInTurns } from './zip-in-turns.ts';

/** The files of evidence, and the list of them that is still to be signed. */
export type UnsignedEvidence = { readonly files: Files; readonly list: string };

/** Writes evidence down, with turns for others in between: an order may have thousands of events. */
export const writtenEvidence = async (evidence: Evidence): Promise<UnsignedEvidence> => {
  const turns = turnsBetween();
  const files = new Map<string, Buffer>();
  let list = '';
  const put = (name: string, content: Buffer): void => {
    files.set(name, content);
    list += listLine(name, content);
  };
  put('README.txt', Buffer.from(readmeText(evidence)));
  put('verify.html', verifyPage());
  for (const part of evidenceParts(evidence)) {
    await turns();
    for (const [name, content] of part) put(name, content);
  }
  return { files, list };
};

/** Evidence as one ZIP; the same evidence gives the same bytes. `signature`: of the list, with the key that has signed the checkpoint. */
export const evidenceZip = ({ files, list }: UnsignedEvidence, signature: Buffer): Promise<Buffer> =>
  zippedInTurns(new Map([...files, [LIST, Buffer.from(list)], [LIST_SIGNATURE, signature]]));
