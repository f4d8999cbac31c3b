import type Database from 'better-sqlite3';
import type { Basis } from '../../../../projections/report/index.ts';
import type { Flow } from '../../../domain/flow.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { stepStatements } from '../../statements/step-statements.ts';

/** Behind more steps than these, finding what they changed takes as long as reading all days. */
const MOST_STEPS = 32;

/** Stretches of days whose days are kept. */
const MOST_STRETCHES = 16;

/** A step, and the days that it had changed by a look. */
type SeenStep = { readonly step: number; readonly days: readonly string[] };

type Stretch = { readonly first: string; readonly last: string; readonly days: readonly string[] };

/**
 * The days of the reports of one flow and basis: which there are, and which may have changed since they were looked at. The
 * steps of the log tell: a day that no step since has changed is what it was. It is asked within one transaction with what
 * is read of the days.
 */
export class SeenDays {
  readonly #sql: SqliteStatements;
  readonly #of: { readonly flow: Flow; readonly basis: Basis };
  /** How often it has looked. */
  #now = 0;
  /** Days that were read before this look may be anything now. */
  #unknownBefore = 0;
  readonly #changedAt = new Map<string, number>();
  #stretches: readonly Stretch[] = [];
  /** The newest step when it looked last. It may have changed its days back since, which leaves nothing of them. */
  #seen: SeenStep | null = null;

  constructor(database: Database.Database, flow: Flow, basis: Basis) {
    this.#sql = new SqliteStatements(database);
    this.#of = { flow, basis };
  }

  /** Looks at what has changed; what is read of days from now on is of this number. */
  look(): number {
    this.#now += 1;
    const newest = this.#sql.get(stepStatements.last, {})?.no ?? null;
    const since = this.#toldSince(newest);
    const first = since?.step ?? newest;
    const changed = first === null ? [] : this.#sql.all(stepStatements.changedDays, { ...this.#of, first });
    if (since === null) this.#forget();
    else for (const day of [...since.days, ...changed.map((row) => row.day)]) this.#change(day);
    const days = changed.flatMap(({ step, day }) => (step === newest ? [day] : []));
    this.#seen = newest === null ? null : { step: newest, days };
    return this.#now;
  }

  /** Whether what was read of a day at a look is still so. */
  isSame(day: string, look: number): boolean {
    return look >= (this.#changedAt.get(day) ?? this.#unknownBefore);
  }

  /** Days of a stretch that there may be cells of, in their order; null: it is not known. */
  between(first: string, last: string): readonly string[] | null {
    return this.#stretches.find((stretch) => stretch.first === first && stretch.last === last)?.days ?? null;
  }

  /** Notes all days of a stretch that there are cells of now, in their order. */
  note(stretch: Stretch): void {
    const others = this.#stretches.filter(({ first, last }) => first !== stretch.first || last !== stretch.last);
    this.#stretches = [stretch, ...others].slice(0, MOST_STRETCHES);
  }

  /** What was seen last, where the steps since tell what has changed; null where they don't. */
  #toldSince(newest: number | null): SeenStep | null {
    const seen = this.#seen;
    if (seen === null || newest === null || newest - seen.step > MOST_STEPS) return null;
    // A step that was joined with the one before it has what came after the look there.
    return this.#sql.get(stepStatements.one, { no: seen.step }) === undefined ? null : seen;
  }

  #forget(): void {
    this.#unknownBefore = this.#now;
    this.#changedAt.clear();
    this.#stretches = [];
  }

  #change(day: string): void {
    this.#changedAt.set(day, this.#now);
    this.#stretches = this.#stretches.map((stretch) => {
      const { first, last, days } = stretch;
      return day < first || day > last || days.includes(day)
        ? stretch
        : { first, last, days: [...days, day].toSorted() };
    });
  }
}
