import { fileVariable, type FileSecret } from '../config/file-secrets.ts';
import { wrong, type DoctorCheck } from './doctor-check.ts';

/** The check that is about what a file holds, and what else of the environment says nothing without it. */
type About = { readonly check: string; readonly with: readonly string[] };

const OF_LOG: About = { check: 'checkpoints', with: ['LEDGER_ORIGIN'] };

/** Null: without it nothing can be looked at, since it is not known where. */
const ABOUT: Readonly<Record<FileSecret, About | null>> = {
  WEBHOOK_SECRETS: { check: 'webhook secrets', with: [] },
  WEBHOOK_RETIRED_SECRETS: { check: 'webhook secrets', with: [] },
  API_KEYS: { check: 'API keys', with: [] },
  UPSTREAM_LOGIN_JSON: { check: 'upstream login', with: ['UPSTREAM_BASE_URL'] },
  LEDGER_SIGNING_KEY: OF_LOG,
  LEDGER_RETIRED_SIGNING_KEY: OF_LOG,
  CHAIN_RPC_URLS: { check: 'configuration', with: [] },
  EVENT_STORE_URL: null,
  READ_MODEL_URL: null,
};

const CURE = 'see that the file system of this file answers (a network mount, say), or name a file elsewhere';

const silentCheck = (name: string, silent: readonly FileSecret[], more: string): DoctorCheck => {
  const names = silent.map(fileVariable);
  return wrong(
    name,
    [...names.map((variable) => `${variable}: its file does not answer`), more]
      .filter((line) => line !== '')
      .join('\n'),
    names.map((variable) => `${variable}: ${CURE}`).join('\n'),
  );
};

/** What is left where nothing can be looked at without files that do not answer. */
export const nothingLookedAt = (silent: readonly FileSecret[]): DoctorCheck =>
  silentCheck('configuration', silent, 'nothing else was looked at');

/**
 * The variables that can't be read, with those that say nothing without them; null: without them nothing can be looked at.
 */
export const unreadable = (silent: readonly FileSecret[]): ReadonlySet<string> | null => {
  const left = new Set<string>();
  for (const variable of silent) {
    const about = ABOUT[variable];
    if (about === null) return null;
    for (const name of [fileVariable(variable), ...about.with]) left.add(name);
  }
  return left;
};

/** Says of each file that does not answer that it does not, in the place of a check of what it holds. */
export const withSilentFiles = (
  checks: readonly DoctorCheck[],
  silent: readonly FileSecret[],
): readonly DoctorCheck[] =>
  checks.map((check) => {
    const own = silent.filter((variable) => ABOUT[variable]?.check === check.name);
    if (own.length === 0) return check;
    return silentCheck(check.name, own, check.name === 'configuration' ? check.detail : '');
  });
