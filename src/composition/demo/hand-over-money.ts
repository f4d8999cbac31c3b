import { readFileSync } from 'node:fs';
import type { Config } from '../../config/index.ts';
import { generatedFiles } from '../../config/generated-secret.ts';
import { CSV_PROFILE } from '../../sandbox/money/csv-statement.ts';
import { explorerFile } from '../../sandbox/money/explorer-file.ts';
import type { BankFile } from '../../sandbox/money/bank-file.ts';
import type { Money } from '../../sandbox/money/money.ts';

/** What the demonstration calls the profile of its bank's CSV files. */
const DEMO_PROFILE = 'sandbox-bank';

/** The file that is left for somebody to bring in: the latest that needs a profile. */
export const leftFile = ({ files }: Money): BankFile | null => files.findLast(({ format }) => format === 'csv') ?? null;

/**
 * Brings bank files and transfers into the ledger as somebody from finance would, all but the one that is left. Answers how
 * many statements it took.
 *
 * @param isStopping whether nothing more is to be begun
 */
export const handOverMoney = async (
  { dataDir }: Config,
  ledgerUrl: string,
  money: Money,
  isStopping: () => boolean,
): Promise<number> => {
  const key = readFileSync(generatedFiles(dataDir).apiKey, 'utf8').trim();
  const send = async (path: string, type: string, body: string): Promise<boolean> => {
    if (isStopping()) return false;
    try {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': type };
      const { ok } = await fetch(new URL(path, ledgerUrl), { method: 'POST', headers, body });
      return ok;
    } catch {
      // The ledger ended meanwhile.
      return false;
    }
  };
  await send(`/v1/statements/profiles/${DEMO_PROFILE}`, 'application/json', JSON.stringify(CSV_PROFILE));
  const left = leftFile(money);
  let taken = 0;
  for (const file of money.files) {
    if (file === left) continue;
    const profile = file.format === 'csv' ? `&profile=${DEMO_PROFILE}` : '';
    const isTaken = await send(`/v1/statements?name=${file.name}${profile}`, 'application/octet-stream', file.text);
    taken += isTaken ? 1 : 0;
  }
  for (const [chainId, movements] of money.movements)
    await send(`/v1/transfers?chainId=${chainId}`, 'text/csv', explorerFile(movements));
  return taken;
};
