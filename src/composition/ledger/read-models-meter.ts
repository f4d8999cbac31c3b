import type { ReadModelMetrics } from '../../telemetry/read-model-metrics.ts';
import type { ReadModelsEvents } from '../../threads/threaded-read-models.ts';

/** What is known of the read models from what they told. */
export type ReadModelsMeter = {
  readonly onEvent: ReadModelsEvents;
  /** Number of the generation that serves; null before one does. */
  readonly generation: () => number | null;
};

/** Counts what goes wrong with the read models, and remembers which generation serves. */
export const readModelsMeter = (metrics: Pick<ReadModelMetrics, 'failed' | 'unreadable'>): ReadModelsMeter => {
  let generation: number | null = null;
  return {
    onEvent: (message) => {
      if (message._tag === 'Serving') ({ generation } = message);
      if (message._tag === 'Removed') generation = null;
      if (message._tag === 'Failed') metrics.failed();
      if (message._tag === 'Unreadable') metrics.unreadable(message.events.length);
    },
    generation: () => generation,
  };
};
