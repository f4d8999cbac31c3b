import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runHere } from '../support/run-here.ts';
import { serveHere, type ServedHere } from '../support/serve-here.ts';
import { exchange, type Answer } from '../support/exchange.ts';
import {
  ledgerProcesses,
  type Finished,
  type LedgerEnvironment,
  type LedgerProcesses,
} from '../support/ledger-process.ts';
import { SECRET } from '../support/payloads.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Keys of the ledgers below: one that may see everything, one that sees personal data masked. */
export const FULL_KEY = 'full-api-key-of-at-least-24-bytes';
export const MASKED_KEY = 'masked-api-key-of-at-least-24-bytes';

export type ProcessFixture = LedgerProcesses & {
  /** Runs `ramp-ledger` with other arguments in this process, which costs a tenth of what `run` does. */
  readonly command: typeof runHere;
  /** Serves in this process until the test has ended, which costs half of what `serve` does. */
  readonly serveHere: typeof serveHere;
  /** A place in the folder of the test that runs. */
  readonly inFolder: (...parts: readonly string[]) => string;
  /** The environment of a ledger with `data` in that folder, one secret and the two keys. */
  readonly env: (over?: LedgerEnvironment) => LedgerEnvironment;
};

/** Gives each test of the suite a folder of its own; afterwards its processes are killed and the folder is removed. */
export const processFixture = (): ProcessFixture => {
  let folder = '';
  const processes = ledgerProcesses(() => ({}));
  const servedHere = new Set<ServedHere>();
  beforeEach(() => {
    folder = temporaryFolder().path;
  });
  afterEach(async () => {
    await processes.endAll();
    await Promise.all([...servedHere].map(({ stop }) => stop()));
    servedHere.clear();
    rmSync(folder, { recursive: true, force: true });
  });
  const inFolder = (...parts: readonly string[]): string => join(folder, ...parts);
  return {
    ...processes,
    command: runHere,
    serveHere: async (env) => {
      const served = await serveHere(env);
      servedHere.add(served);
      return served;
    },
    inFolder,
    env: (over = {}) => ({
      DATA_DIR: inFolder('data'),
      WEBHOOK_SECRETS: `primary=${SECRET}`,
      API_KEYS: [
        `full:orders:read+audit:read+reports:read+pii:read+quarantine:write=${FULL_KEY}`,
        `masked:orders:read+audit:read+reports:read=${MASKED_KEY}`,
      ].join(','),
      ...over,
    }),
  };
};

/** A question to a ledger. */
export const ask = (url: string, path: string, key = FULL_KEY): Promise<Answer> =>
  exchange(url, { path, headers: { authorization: `Bearer ${key}` } });

/** An orderly end, after which another ledger can start from what is in the files. */
export const expectOrderlyEnd = ({ status, signal, err }: Finished, dataDir: string): void => {
  expect({ status, signal, err }).to.deep.equal({ status: 0, signal: null, err: '' });
  for (const left of ['ledger.sock', 'events.db-wal', 'events.db-shm']) {
    expect(existsSync(join(dataDir, left)), left).to.equal(false);
  }
};

/** A command or a start that failed as it should: with this status, and one line for the operator. */
export const expectOneLine = ({ status, out, err }: Finished, expected: number, line: RegExp): void => {
  expect({ status, out }, err).to.deep.equal({ status: expected, out: '' });
  expect(err).to.match(/^[^\n]+\n$/);
  expect(err).to.match(line);
};
