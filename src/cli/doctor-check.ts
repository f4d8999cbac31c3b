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

export const well = (name: string, detail: string): DoctorCheck => ({ name, ok: true, detail, cure: null });

export const wrong = (name: string, detail: string, cure: string): DoctorCheck => ({ name, ok: false, detail, cure });

/** Well if nothing is wrong, else all that is, and the cure of the first. */
export const judged = (
  name: string,
  detail: string,
  found: readonly { readonly detail: string; readonly cure: string }[],
): DoctorCheck => {
  const [first] = found;
  if (first === undefined) return well(name, detail);
  const cures = [...new Set(found.map(({ cure }) => cure))];
  return wrong(
    name,
    [...found.map((one) => one.detail), detail].filter((line) => line !== '').join('\n'),
    cures.join('\n'),
  );
};
