import type { ConfigError } from '../config/config-error.ts';
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

const silentCheck = (
  name: string,
  silent: readonly FileSecret[],
  more: readonly string[],
  cures: readonly string[] = [],
): DoctorCheck => {
  const names = silent.map(fileVariable);
  return wrong(
    name,
    [...names.map((variable) => `${variable}: its file does not answer`), ...more].join('\n'),
    [...names.map((variable) => `${variable}: ${CURE}`), ...cures].join('\n'),
  );
};

/** What is left where nothing can be looked at: files that do not answer, and a variable that is wrong beside them. */
export const nothingLookedAt = (silent: readonly FileSecret[], wrongToo: ConfigError | null): DoctorCheck => {
  const [found, cures] =
    wrongToo === null
      ? [[], []]
      : [[`${wrongToo.variable}: ${wrongToo.problem}`], [`${wrongToo.variable}: ${wrongToo.cure}`]];
  return silentCheck('configuration', silent, [...found, 'nothing else was looked at'], cures);
};

/** What says nothing since files do not answer. */
type Unreadable = {
  /** The variables that name the files, with those that say nothing without them. */
  readonly variables: ReadonlySet<string>;
  /** Whether it is known all the same where events and read models are. */
  readonly arePlacesKnown: boolean;
};

/** What can't be read where these files do not answer. */
export const unreadable = (silent: readonly FileSecret[]): Unreadable => ({
  variables: new Set(silent.flatMap((variable) => [fileVariable(variable), ...(ABOUT[variable]?.with ?? [])])),
  arePlacesKnown: silent.every((variable) => ABOUT[variable] !== null),
});

/** Says of each file that does not answer that it does not, in the place of a check of what it holds. */
export const withSilentFiles = (
  checks: readonly DoctorCheck[],
  silent: readonly FileSecret[],
): readonly DoctorCheck[] =>
  checks.map((check) => {
    const own = silent.filter((variable) => ABOUT[variable]?.check === check.name);
    if (own.length === 0) return check;
    return silentCheck(check.name, own, check.name === 'configuration' ? [check.detail] : []);
  });
