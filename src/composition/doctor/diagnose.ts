import { randomBytes } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import type { ArrivalsSeen } from '../../arrivals/arrivals-seen.ts';
import { loadConfig, type Environment, type LoadedConfig } from '../../config/index.ts';
import { isSilent, silentFiles } from '../../config/silent-files.ts';
import { fileLooks, type FileLooks } from '../../config/watched-file.ts';
import { wrongConfiguration } from '../../doctor/configuration-check.ts';
import type { DoctorCheck } from '../../doctor/doctor-check.ts';
import { doctorChecks, type LedgerFacts } from '../../doctor/doctor-checks.ts';
import { isServing, type ServingState } from '../../doctor/ledger-check.ts';
import { nothingLookedAt, unreadable, withSilentFiles } from '../../doctor/silent-files-check.ts';
import { withUnanswered, type Unanswered } from '../../doctor/unanswered-check.ts';
import { epochMsOf, type Instant } from '../../domain/instant.ts';
import { askServingLedger } from './ask-serving-ledger.ts';
import { factsOf, unansweredOf } from './facts-of-files.ts';
import { filesLookedAt, type FilesLookedAt } from './files-looked-at.ts';
import { logInOnce } from './log-in-once.ts';

/** What answers over a network has so long; all are asked at once, and beside files. */
const WITHIN_MS = 7_000;

/** A ledger that serves has counted what its file may lack; null: it did not tell, or the file could not be looked at. */
const arrivalsOf = (ledger: ServingState, { Folders: folders }: FilesLookedAt): ArrivalsSeen | null => {
  if (ledger._tag === 'Told') return ledger.state.arrivals;
  return isServing(ledger) || E.isLeft(folders) ? null : folders.right.arrivals;
};

const gatherFacts = async (
  { config, warnings }: LoadedConfig,
  env: Environment,
  now: () => Instant,
): Promise<{ readonly facts: LedgerFacts; readonly unanswered: Unanswered }> => {
  const [files, ledger, upstream] = await Promise.all([
    filesLookedAt(env),
    askServingLedger(config),
    logInOnce(config.upstream, () => epochMsOf(now()), WITHIN_MS),
  ]);
  const arrivals = arrivalsOf(ledger, files);
  const facts = { config, warnings, ledger, ...factsOf(files, config), arrivals, upstream, at: now() };
  return { facts, unanswered: unansweredOf(files, { config, arrivals }) };
};

/** What is said of one of them may be for want of the other. */
const PLACES: ReadonlySet<string> = new Set(['EVENT_STORE_URL', 'READ_MODEL_URL']);

const without = (env: Environment, names: ReadonlySet<string>): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name)));

/**
 * Looks at all that a ledger of this environment stands on (docs/spec/command-line.md, doctor). It changes
 * nothing; it makes an empty file in each folder, and removes it. What a file holds whose file system does not answer is left out,
 * and that said of it.
 */
export const diagnose = async (
  env: Environment,
  now: () => Instant,
  looks: Pick<FileLooks, 'reach'> = fileLooks,
): Promise<readonly DoctorCheck[]> => {
  const silent = await silentFiles(env, looks);
  const { variables, arePlacesKnown } = unreadable(silent);
  // Where it is not known where events are, the data directory is read for the variables alone, and may be where the silent file is.
  if (!arePlacesKnown && (await isSilent(env['DATA_DIR'] ?? './data', looks))) return [nothingLookedAt(silent, null)];
  const readable = without(env, variables);
  const loaded = loadConfig(readable, { generate: false, randomBytes });
  if (E.isLeft(loaded)) {
    if (silent.length === 0) return [wrongConfiguration(loaded.left)];
    const isOfPlaces = !arePlacesKnown && PLACES.has(loaded.left.variable);
    return [nothingLookedAt(silent, isOfPlaces ? null : loaded.left)];
  }
  if (!arePlacesKnown) return [nothingLookedAt(silent, null)];
  const { facts, unanswered } = await gatherFacts(loaded.right, readable, now);
  return withSilentFiles(withUnanswered(doctorChecks(facts), unanswered), silent);
};
