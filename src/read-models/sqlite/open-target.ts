import { businessCalendar } from '../../domain/business-day.ts';
import { USUAL_MATCH_SETTINGS } from '../../domain/match-settings.ts';
import { USUAL_STEPS } from '../log-steps.ts';
import type { Included } from '../read-models.ts';
import type { ProjectionTarget } from '../runner.ts';
import { markFor, markOf, openForWriting, stampOf } from './generation.ts';
import type { Generations } from './generations.ts';
import { openServing, used, type OnDamaged } from './open-serving.ts';
import { ProjectionStore } from './projection-store.ts';

/** The serving generation, open for its runner. */
export type OpenTarget = ProjectionTarget & {
  readonly generation: number;
  /** What tells it from another one of the same number (see `stampOf`). */
  readonly stamp: number;
  readonly included: () => Included | null;
  readonly close: () => void;
};

/** What serves, for its runner; null where nothing does, or something that this program would make otherwise, or that is damaged, which is told. */
export const openTarget = (
  generations: Generations,
  timeZone: string,
  settings = USUAL_MATCH_SETTINGS,
  steps = USUAL_STEPS,
  onDamaged?: OnDamaged,
): OpenTarget | null => {
  const open = (file: string, generation: number): OpenTarget | null =>
    used(openForWriting(file), (database) => {
      const [mark, wanted] = [markOf(database), markFor(timeZone, settings)];
      if (mark?.projections !== wanted.projections || mark.timeZone !== wanted.timeZone) return null;
      if (mark.matchSettings !== wanted.matchSettings) return null;
      const store = new ProjectionStore(database, businessCalendar(timeZone), settings, steps);
      return {
        generation,
        stamp: stampOf(database),
        included: () => store.included(),
        checkpoint: () => store.checkpoint(),
        apply: (after, batch) => store.apply(after, batch),
        settle: () => store.settle(),
        close: () => database.close(),
      };
    });
  return openServing(generations, open, onDamaged);
};
