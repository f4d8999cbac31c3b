import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { withPast } from '../read-models/past-read-models.ts';
import type { MomentTooFar, ReadModelsUnavailable } from '../read-models/read-models.ts';
import type { Snapshot } from '../read-models/snapshot.ts';
import { stateText } from '../read-models/stored-state.ts';
import type { LogOnDemand } from './log-on-demand.ts';
import type { Answer } from './query-message.ts';
import type { PastQuestion } from './question-of-moment.ts';

/** An answer as of a moment is waited for so long; then it goes on being made, and whoever asks again finds it nearer. */
export const MOMENT_WITHIN_MS = 20_000;

const answered = async <A>(
  ask: TE.TaskEither<ReadModelsUnavailable | MomentTooFar, A>,
  answer: (found: A) => Answer,
): Promise<Answer> => {
  const found = await ask();
  if (E.isRight(found)) return answer(found.right);
  const { left } = found;
  return left._tag === 'MomentTooFar' ? left : { ...left, _tag: 'Unavailable' };
};

const pastAnswer = (models: Snapshot, question: PastQuestion): Promise<Answer> => {
  switch (question._tag) {
    case 'Orders':
      return answered(models.orders(question.question), (page) => ({
        _tag: 'Orders',
        page: { ...page, data: page.data.map(stateText) },
      }));
    case 'Report':
      return answered(models.report(question.question), (report) => ({ _tag: 'Report', report }));
    case 'Cells':
      return answered(models.cells(question.question), (cells) => ({ _tag: 'Cells', cells }));
    case 'Changes':
      break;
  }
  return answered(models.changes(question.question), (changes) => ({
    _tag: 'Changes',
    changes: changes.map(({ before, now, ...of }) => ({
      ...of,
      before: before === null ? null : stateText(before),
      now: now === null ? null : stateText(now),
    })),
  }));
};

/** Answers as of moments. */
export class PastAnswers {
  readonly #log: LogOnDemand;
  readonly #openSnapshot: () => Promise<Snapshot | null>;

  /** @param openSnapshot gives what serves as it is; null where nothing does */
  constructor(log: LogOnDemand, openSnapshot: () => Promise<Snapshot | null>) {
    this.#log = log;
    this.#openSnapshot = openSnapshot;
  }

  async answer(question: PastQuestion): Promise<Answer> {
    const { past } = await this.#log.opened();
    const snapshot = await this.#openSnapshot();
    if (snapshot === null) return { _tag: 'NotBuilt' };
    try {
      return await pastAnswer(withPast(snapshot, past, MOMENT_WITHIN_MS), question);
    } finally {
      await snapshot.close();
    }
  }
}
