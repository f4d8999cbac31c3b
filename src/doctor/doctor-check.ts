/**
 * One thing that `doctor` looked at (docs/spec/command-line.md, doctor). No text holds a secret, a password or personal
 * data; a line break parts entries of one kind.
 */
export type DoctorCheck = {
  readonly name: string;
  readonly ok: boolean;
  /** What was found. */
  readonly detail: string;
  /** What to do about it; null where nothing is wrong. */
  readonly cure: string | null;
};

/** One thing that is wrong, and what to do about it. */
export type Finding = { readonly detail: string; readonly cure: string };

/** A fact that could not be gathered, since the machine failed: the code of its error. */
export type NotLookedAt = { readonly _tag: 'NotLookedAt'; readonly code: string };

export const well = (name: string, detail: string): DoctorCheck => ({ name, ok: true, detail, cure: null });

export const wrong = (name: string, detail: string, cure: string): DoctorCheck => ({ name, ok: false, detail, cure });

/** Well if nothing is wrong, else all that is, with every cure once. */
export const judged = (name: string, detail: string, found: readonly Finding[]): DoctorCheck => {
  if (found.length === 0) return well(name, detail);
  const cures = [...new Set(found.map(({ cure }) => cure))];
  return wrong(
    name,
    [...found.map((one) => one.detail), detail].filter((line) => line !== '').join('\n'),
    cures.join('\n'),
  );
};

/** A check whose facts could not be gathered. */
export const notLookedAt = (name: string, { code }: NotLookedAt): DoctorCheck =>
  wrong(name, `it could not be looked at (${code})`, 'see that this user can read the folder that DATA_DIR names');
