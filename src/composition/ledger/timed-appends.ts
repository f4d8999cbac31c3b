import * as E from 'fp-ts/lib/Either.js';
import type { AppendError, EventStore } from '../../event-store/event-store.ts';
import type { AppendMetrics, AppendResult } from '../../telemetry/append-metrics.ts';

const RESULTS: Readonly<Record<AppendError['_tag'], AppendResult>> = {
  WrongExpectedRevision: 'wrong-revision',
  AppendRefused: 'refused',
  StoreUnavailable: 'unavailable',
};

/** An event store whose appends are timed, from the call to the answer. */
export const timedAppends = (store: EventStore, told: AppendMetrics['append']): EventStore => ({
  ...store,
  append: (stream, expected, events) => {
    const append = store.append(stream, expected, events);
    return async () => {
      const start = performance.now();
      const appended = await append();
      told(E.isRight(appended) ? 'appended' : RESULTS[appended.left._tag], (performance.now() - start) / 1_000);
      return appended;
    };
  },
});
