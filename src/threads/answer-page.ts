import type * as E from 'fp-ts/lib/Either.js';
import { answerHandedPage } from '../console/handed-page.ts';
import type { WrittenPage } from '../console/page.ts';
import { businessCalendar } from '../domain/business-day.ts';
import { serveHandedLog } from '../proofs/serve-log.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import { isAdjusted } from '../queries/periods/adjustments.ts';
import { withPast } from '../read-models/past-read-models.ts';
import type { AnswersOf } from './answer-handed.ts';
import { MOMENT_WITHIN_MS } from './past-answers.ts';
import type { HandedPageQuestion } from './query-message.ts';

/** Makes a page of the console that was handed to this thread; null: it is none of those that are made here. */
export const answerPage = async (
  { store, past, readModels, timeZone, suspectTree }: AnswersOf,
  { page, matchDueDays, secrets, log }: HandedPageQuestion,
): Promise<E.Either<QueryFailure, WrittenPage> | null> => {
  const keys = new Map(secrets.map(({ id, key }) => [id, Buffer.from(key, 'hex')]));
  const served = serveHandedLog(log, suspectTree);
  const models = withPast(readModels, past, MOMENT_WITHIN_MS);
  try {
    return await answerHandedPage(
      {
        store,
        readModels: models,
        isAdjusted: isAdjusted(models),
        calendar: businessCalendar(timeZone),
        secretKey: (id: string) => keys.get(id) ?? null,
        now: () => page.now,
        matchDueDays,
        proofs: served,
      },
      page,
    );
  } finally {
    served.close();
  }
};
