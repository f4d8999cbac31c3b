import { businessCalendar } from '../../src/domain/business-day.ts';
import { branded } from '../../src/domain/brand.ts';
import type { Flow } from '../../src/domain/flow.ts';
import type { RequestId } from '../../src/domain/ids.ts';
import type { Instant } from '../../src/domain/instant.ts';
import type { Month } from '../../src/domain/month.ts';
import { ownEvent } from '../../src/domain/own-event/own-event.ts';
import { PERIOD_CLOSED } from '../../src/domain/own-event/period-events.ts';
import { positionAt } from '../../src/domain/position.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { appendOwn } from '../../src/ledger/append-own.ts';
import { periodReport, questionOf, type PeriodReportQuestion } from '../../src/queries/periods/period-report.ts';
import { ReportResource, reportResource } from '../../src/queries/reports/report-resource.ts';
import { directReadModels } from '../../src/read-models/sqlite/direct-read-models.ts';
import { emptyQueries } from '../../src/read-models/sqlite/open-queries.ts';
import { playedLedger } from '../support/ledger-script.ts';
import { right } from '../support/right.ts';

const MONTH = branded<Month>('2026-03');
const FLOWS: readonly Flow[] = ['onramp', 'offramp'];

const QUESTIONS: readonly PeriodReportQuestion[] = FLOWS.flatMap((flow) => [
  { flow, basis: 'created', groupBy: [], month: MONTH },
  { flow, basis: 'settled', groupBy: ['day', 'token', 'chain'], month: MONTH },
  { flow, basis: 'created', groupBy: ['month', 'currency'], month: MONTH },
]);

const instant = (text: string): Instant => branded<Instant>(text);

/** What reports of a month answer that a close with these figures has closed. */
export const closedBytes = async (figures: string): Promise<readonly string[]> => {
  const { store } = playedLedger();
  const digest = { sha256: sha256('') };
  const closed = ownEvent(
    PERIOD_CLOSED,
    {
      period: MONTH,
      timeZone: 'Asia/Kolkata',
      from: instant('2026-02-28T18:30:00.000Z'),
      until: instant('2026-03-31T18:30:00.000Z'),
      through: null,
      asOf: { position: positionAt(5), at: instant('2026-04-02T10:00:00.000Z') },
      checkpoint: null,
      note: '',
      despite: [],
      checks: [],
      reports: { onramp: digest, offramp: digest },
      figures,
    },
    { by: 'finance', at: instant('2026-04-02T10:00:00.000Z'), requestId: branded<RequestId>('request-1') },
  );
  right(await appendOwn(store, 'none', [closed])());
  const { queries, close } = emptyQueries('UTC');
  const readModels = directReadModels(queries, close);
  const texts: string[] = [];
  for (const question of QUESTIONS) {
    const answer = right(await periodReport({ store, readModels, calendar: businessCalendar('UTC') }, question)());
    texts.push(JSON.stringify(ReportResource.encode(reportResource(questionOf(question), answer, 'shown'))));
  }
  await readModels.close();
  return texts;
};
