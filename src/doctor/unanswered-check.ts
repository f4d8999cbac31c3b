import { wrong, type DoctorCheck } from './doctor-check.ts';

/** Names of checks whose files could not be looked at, each with the reason. */
export type Unanswered = ReadonlyMap<string, string>;

/** Why files were not looked at where no disk was asked for them yet. */
export const NOT_BEGUN = 'the process that looks did not begin in time';

const VARIABLES: Readonly<Record<string, string>> = {
  'event store': 'EVENT_STORE_URL',
  'read models': 'READ_MODEL_URL',
};

/** Says of each check whose files did not answer that they did not, in the place of what they hold. */
export const withUnanswered = (checks: readonly DoctorCheck[], unanswered: Unanswered): readonly DoctorCheck[] =>
  checks.map((check) => {
    const why = unanswered.get(check.name);
    if (why === undefined) return check;
    const variable = VARIABLES[check.name] ?? 'DATA_DIR';
    return wrong(
      check.name,
      `what ${variable} names could not be looked at: ${why}`,
      why === NOT_BEGUN
        ? 'this machine is busy, which says nothing of a disk: run doctor again'
        : `look at the disk of ${variable}, its volume or its host: where it hangs, all waits for it; nothing is lost by that`,
    );
  });
