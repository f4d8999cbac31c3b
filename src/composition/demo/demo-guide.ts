import { join } from 'node:path';
import type { Config } from '../../config/index.ts';
import type { BankFile } from '../../sandbox/money/bank-file.ts';
import { generatedFiles } from '../../config/generated-secret.ts';

/** What a shell takes for one word, as it stands. */
const PLAIN_WORD = /^[\w./:@%+=-]+$/;

const word = (text: string): string => (PLAIN_WORD.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`);

/** Where a person looks: addresses and files, never what is in them. */
export const whereToLook = ({ dataDir }: Config, ledger: string, sandbox: string): string => `
A demonstration: a ledger, and a sandbox provider that plays orders into it.

  ledger       ${ledger}
  its API key  ${generatedFiles(dataDir).apiKey}
  sandbox      ${sandbox}, which says at /sandbox/expected what the ledger must report
  data         ${dataDir}

`;

/** What to expect where a demonstration has played orders into the folder before. */
export const playedBefore = ({ dataDir }: Config): string =>
  `The orders of an earlier demonstration are in ${dataDir} too. The bank of this one does not know them: those that its files
cover are listed as missing there. For a fresh one give another DATA_DIR, or remove that folder first.\n\n`;

/** What of the bank was brought in, and the file that is left to try it with. */
export const bankFilesToTry = (folder: string, taken: number, left: BankFile | null): string => {
  const rest =
    left === null ? '' : ` One is left for you: drop ${left.name} of that folder on the page Reconciliation.`;
  return `${taken} bank files and the transfers of each chain up to yesterday are in too, not all of it as it should be; they are in ${folder}, with what must be found (expected.json).${rest}\n`;
};

/**
 * Three commands that work as they are printed, in a shell of any kind that POSIX describes.
 *
 * @param zone BUSINESS_TIME_ZONE where it is set, which commands must be told too
 */
export const commandsToTry = (
  { dataDir }: Config,
  ledger: string,
  zone: string | undefined,
  orderId: string,
): string => {
  const variables = [`DATA_DIR=${word(dataDir)}`, ...(zone === undefined ? [] : [`BUSINESS_TIME_ZONE=${word(zone)}`])];
  const command = `${variables.join(' ')} npm run -s ledger --`;
  return `
Three commands to try in another terminal, in this folder (Ctrl-C here ends the demonstration; its data stays):

  curl -s -H "Authorization: Bearer $(cat ${word(join(dataDir, 'api-key'))})" '${ledger}/v1/orders?limit=3'
  ${command} report onramp --group-by month
  ${command} audit ${word(orderId)}

`;
};
